import { isResourceKind, type ErrorCode } from '@tollgate/contract';
import type { NotExecutedReason, Usage } from '@tollgate/provider';
import type { AttemptRecord, OperationRecord, UsageRecord } from '@tollgate/storage';
import { storeAnswer } from './answers.ts';
import { decideDoubt, doubtKeys, type DoubtCommand } from './decisions/doubt.ts';
import type { FailCommand } from './decisions/fail.ts';
import type { Notice } from './decisions/notice.ts';
import type { Evidence, SettleCommand } from './decisions/settle.ts';
import type { Engine } from './engine.ts';
import { patienceOf, persist } from './persist.ts';
import { findKindTariff, priceOf } from './tariff.ts';
import { toolContextId } from './tool-contexts.ts';
import type { PlannedAnswer } from './operation-plan.ts';

/** Non-execution as the client is told it, and as the record keeps it. */
export const notExecutedCode = (reason: NotExecutedReason): ErrorCode => {
  switch (reason) {
    case 'invalid_request':
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
export const measuredMicros = (
  engine: Engine,
  { model, kind }: Pick<OperationRecord, 'model' | 'kind'>,
  usage: readonly Usage[],
): bigint | null => {
  const tariff = findKindTariff(engine.tariff, model, kind);
  const known = usage.length > 0 && usage.every((meter) => meter.confirmed && Number.isSafeInteger(meter.quantity));
  if (tariff === null || !known || usage.some((meter) => meter.quantity < 0)) return null;
  return priceOf(tariff, usage, 'half_up');
};

export const usageRecords = (usage: readonly Usage[]): readonly UsageRecord[] =>
  usage.map(({ unit, quantity }) => ({ unit, quantity }));

/** What an execution left, ready to be stored in the step that ends the operation. */
export const collectEvidence = async (
  engine: Engine,
  operation: OperationRecord,
  found: {
    readonly usage: readonly Usage[];
    readonly attempts: readonly AttemptRecord[];
    readonly answer: PlannedAnswer;
  },
): Promise<Evidence> => ({
  usage: usageRecords(found.usage),
  attempts: found.attempts,
  answer: await persist(patienceOf(engine), () => storeAnswer(engine, operation.id, found.answer.body)),
  toolContexts: found.answer.toolContexts.map(({ callId, context }) => ({
    id: toolContextId(operation.projectId, callId),
    context,
  })),
});

/** What the step that ends an operation needs to tell the project's webhooks of it. */
export const noticeOf = (engine: Engine, operation: Pick<OperationRecord, 'id' | 'projectId'>): Notice => ({
  eventId: engine.newId(),
  projectId: operation.projectId,
  requestUrl: engine.requestUrl(operation.id),
});

export const settleCommand = (
  engine: Engine,
  operation: OperationRecord,
  micros: bigint,
  evidence: Evidence | null,
): SettleCommand => ({
  operationId: operation.id,
  accountId: operation.accountId,
  measuredMicros: micros,
  evidence,
  overrun: engine.overrun,
  retryMs: engine.limits.settlementRetryMs,
  answerKeptMs: engine.limits.answerKeptMs,
  anomalyId: engine.newId(),
  ...(isResourceKind(operation.kind) ? { hasResource: true as const } : {}),
  notice: noticeOf(engine, operation),
});

/** Records are kept for ever where the host says so; their due time is then as far away as a time can be. */
export const farAwayMs = 8_000_000_000_000;

export const failCommand = (
  engine: Engine,
  operation: Pick<OperationRecord, 'id' | 'accountId' | 'projectId'>,
  errorCode: string,
  attempts: readonly AttemptRecord[] | null,
): FailCommand => ({
  operationId: operation.id,
  accountId: operation.accountId,
  errorCode,
  attempts,
  recordKeptMs: engine.limits.recordKeptMs ?? farAwayMs,
  anomalyId: engine.newId(),
  notice: noticeOf(engine, operation),
});

export const doubtCommand = (
  engine: Engine,
  operationId: string,
  evidence: Evidence | null,
  expiredOwner: string | null,
): DoubtCommand => ({
  operationId,
  evidence,
  answerKeptMs: engine.limits.answerKeptMs,
  decideAfterMs: engine.decideUncertain?.afterMs ?? null,
  expiredOwner,
});

/** Says of an operation that its outcome or its measure is unknown; where an owner is named, only if it still has the operation. */
export const doubtOperation = (
  engine: Engine,
  operation: OperationRecord,
  evidence: Evidence | null,
  owner: string | null = null,
) => {
  const command = doubtCommand(engine, operation.id, evidence, owner);
  return persist(patienceOf(engine), () => engine.storage.transact(doubtKeys(command), decideDoubt(command)));
};
