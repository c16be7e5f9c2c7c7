import type { CountedSpends } from '../decisions/spend.ts';
import { isResourceKind, type ErrorCode } from '@tollgate/contract';
import type { NotExecutedReason, Usage } from '@tollgate/provider';
import type { AttemptRecord, OperationRecord, UsageRecord } from '@tollgate/storage';
import { inlineAnswer, putAnswer, storeAnswer, type AnswerPlace } from './answers.ts';
import { fixedMeasure, pendingMeasure, type Measure } from '../decisions/carry.ts';
import { markUncertainStep, type MarkUncertainAnswer, type MarkUncertainCommand } from '../decisions/mark-uncertain.ts';
import { observedOperation } from './observed-ledger.ts';
import type { FailCommand } from '../decisions/fail.ts';
import type { HostEvents } from '../decisions/host-event.ts';
import type { OutboxEvent } from '../decisions/outbox-event.ts';
import type { Evidence, EvidenceAnswer, SettleCommand } from '../decisions/settle.ts';
import { countedUnderWay } from '../decisions/under-way.ts';
import type { Engine } from '../engine.ts';
import { commit, patienceOf, persist } from './persist.ts';
import type { ResumeCommands } from '../ledger/operation-ledger.ts';
import type { ModelTariff } from '../ledger/model-prices.ts';
import { answeringProvider, pricesOf, type Priced } from '../ledger/operation-prices.ts';
import { chargeOf } from '../ledger/price-usage.ts';
import { toolContextId } from './tool-contexts.ts';
import type { PlannedAnswer } from './operation-plan.ts';

/** Non-execution as the client receives it, and as the record keeps it. */
export const notExecutedCode = (reason: NotExecutedReason): ErrorCode => {
  switch (reason) {
    case 'invalid_request':
    case 'unsupported':
      return 'unsupported_parameter';
    case 'input_limit':
      return 'input_limit';
    case 'rate_limited':
    case 'unavailable':
      return 'service_unavailable';
    case 'failed':
      return 'request_failed';
    case 'cancelled':
      return 'request_cancelled';
  }
};

/** The measured price, or null where a meter is missing, unconfirmed or without a price: then the outcome is uncertain. */
export const measureUsage = (
  engine: Pick<Engine, 'policy'>,
  operation: Priced,
  usage: readonly Usage[],
  attempts: readonly AttemptRecord[],
): Measure | null => measureBy(pricesOf(engine, operation), usage, attempts);

/** The same by prices that are known. */
export const measureBy = (
  tariff: ModelTariff | null,
  usage: readonly Usage[],
  attempts: readonly AttemptRecord[],
): Measure | null => {
  const known = usage.length > 0 && usage.every((meter) => meter.confirmed && Number.isSafeInteger(meter.quantity));
  if (tariff === null || !known || usage.some((meter) => meter.quantity < 0)) return null;
  return chargeOf(tariff, usage, answeringProvider(attempts));
};

export const usageRecords = (usage: readonly Usage[]): readonly UsageRecord[] =>
  usage.map(({ unit, quantity }) => ({ unit, quantity }));

const divisionOf = ({ division }: PlannedAnswer): Pick<EvidenceAnswer, 'division'> =>
  division === undefined ? {} : { division };

/**
 * What a client was sent of an answer whose outcome is lost, for the step that says so. Where it cannot be put beside the records, the
 * step goes without it: that the outcome is unknown matters more.
 */
export const partialEvidence = async (
  engine: Engine,
  operationId: string,
  sent: PlannedAnswer | null,
): Promise<EvidenceAnswer | null> => {
  if (sent === null) return null;
  try {
    return { ...(await storeAnswer(engine, operationId, sent.body)), ...divisionOf(sent), partial: true };
  } catch (cause) {
    engine.logger.error('what was sent of an answer could not be kept', { operationId, cause });
    return null;
  }
};

/** Where the answer of an operation lies. One that travels in the step needs no waiting. */
const keptAnswer = (engine: Engine, operationId: string, body: string): AnswerPlace | Promise<AnswerPlace> =>
  inlineAnswer(engine, body) ?? persist(patienceOf(engine), () => putAnswer(engine, operationId, body));

/** What an execution left, ready to be stored in the step that ends the operation. */
export const collectEvidence = (
  engine: Engine,
  operation: OperationRecord,
  found: {
    readonly usage: readonly Usage[];
    readonly attempts: readonly AttemptRecord[];
    readonly servedTier?: string | null;
    readonly answer: PlannedAnswer;
  },
): Evidence | Promise<Evidence> => {
  const evidenceWith = (place: AnswerPlace): Evidence => ({
    usage: usageRecords(found.usage),
    attempts: found.attempts,
    servedTier: found.servedTier,
    answer: { ...place, ...divisionOf(found.answer) },
    toolContexts: found.answer.toolContexts.map(({ callId, context }) => ({
      id: toolContextId(operation.projectId, callId),
      context,
    })),
  });
  const keeping = keptAnswer(engine, operation.id, found.answer.body);
  return keeping instanceof Promise ? keeping.then(evidenceWith) : evidenceWith(keeping);
};

/** What the step that ends an operation needs to tell the project's webhooks of it. */
export const outboxEventOf = (engine: Engine, operation: Pick<OperationRecord, 'id' | 'projectId'>): OutboxEvent => ({
  eventId: engine.newId(),
  projectId: operation.projectId,
  requestUrl: engine.host.requestUrl(operation.id),
});

/** What a step needs to write events for functions of the host; undefined where the gateway writes none. */
export const hostEventsOf = ({ policy, newId }: Pick<Engine, 'policy' | 'newId'>): HostEvents | undefined =>
  policy.hostEvents === null ? undefined : { ...policy.hostEvents, eventId: newId() };

export const settleCommand = (
  engine: Engine,
  operation: OperationRecord,
  { micros, ...rest }: Measure,
  evidence: Evidence | null,
): SettleCommand => ({
  operationId: operation.id,
  accountId: operation.accountId,
  measuredMicros: micros,
  ...rest,
  evidence,
  overrun: engine.policy.overrun,
  retryMs: engine.limits.settlementRetryMs,
  answerKeptMs: engine.limits.answerKeptMs,
  anomalyId: engine.newId(),
  ...(isResourceKind(operation.kind) ? { hasResource: true as const } : {}),
  outboxEvent: outboxEventOf(engine, operation),
  hostEvents: hostEventsOf(engine),
  ...countedUnderWay(operation),
  spends: operation.spends,
});

/** Records are kept for ever where the host says so; their due time is then as far away as a time can be. */
export const farAwayMs = 8_000_000_000_000;

/** What brings to its end an operation that a dead process left between two commands to the ledger. */
export const resumeCommands = (engine: Engine, operation: OperationRecord): ResumeCommands => ({
  settle: settleCommand(engine, operation, pendingMeasure(operation) ?? fixedMeasure(0n), null),
  fail: failCommand(engine, operation, operation.errorCode ?? 'service_unavailable', null),
});

export const failCommand = (
  engine: Engine,
  operation: Pick<OperationRecord, 'id' | 'accountId' | 'projectId' | 'kind'> & CountedSpends,
  errorCode: string,
  attempts: readonly AttemptRecord[] | null,
): FailCommand => ({
  operationId: operation.id,
  accountId: operation.accountId,
  errorCode,
  attempts,
  recordKeptMs: engine.limits.recordKeptMs ?? farAwayMs,
  anomalyId: engine.newId(),
  outboxEvent: outboxEventOf(engine, operation),
  hostEvents: hostEventsOf(engine),
  ...countedUnderWay(operation),
  spends: operation.spends,
});

export const markUncertainCommand = (
  engine: Engine,
  operationId: string,
  evidence: Evidence | null,
  expiredOwner: string | null,
): MarkUncertainCommand => ({
  operationId,
  evidence,
  answerKeptMs: engine.limits.answerKeptMs,
  decideAfterMs: engine.policy.decideUncertain?.afterMs ?? null,
  hostEvents: hostEventsOf(engine),
  expiredOwner,
});

/** Shows an observer that an operation has become uncertain. */
export const showUncertain = ({ host: { observe } }: Pick<Engine, 'host'>, answer: MarkUncertainAnswer): void => {
  if (observe === null || answer.kind !== 'uncertain') return;
  const { operation } = answer;
  const shown = observedOperation(operation);
  observe({ kind: 'operation_ended', operationId: operation.id, operation: shown, end: { kind: 'uncertain' } });
};

/** Says of an operation that its outcome or its measure is unknown; where an owner is named, only if it still has the operation. */
export const markUncertain = async (
  engine: Engine,
  operation: OperationRecord,
  evidence: Evidence | null,
  owner: string | null = null,
) => {
  const command = markUncertainCommand(engine, operation.id, evidence, owner);
  const answer = await commit(engine, markUncertainStep(command));
  showUncertain(engine, answer);
  return answer;
};
