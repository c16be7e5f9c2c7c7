import type { AttemptRecord, OperationRecord } from '@tollgate/storage';
import { NotExecuted, isNotExecuted, readUsageAtLeast, type Attempt, type Usage } from '@tollgate/provider';
import { withDeadline } from '../workers/with-deadline.ts';
import { useId } from '../decisions/resource-draft.ts';
import { callerOf } from './caller-of.ts';
import type { SettleAnswer } from '../decisions/settle.ts';
import type { Engine } from '../engine.ts';
import { countTokens } from '../limits/count-tokens.ts';
import { reserveWithin } from '../limits/reserve-within.ts';
import { usedTokens } from '../limits/used-tokens.ts';
import type { AskedLimiter } from '../ports/usage-limiter.ts';
import type { Observe } from '../ports/observer.ts';
import {
  collectEvidence,
  markUncertain,
  failCommand,
  measureUsage,
  notExecutedCode,
  partialEvidence,
  settleCommand,
  usageRecords,
} from './conclude.ts';
import { showAttempt } from './show-attempt.ts';
import { keptAttempt, leastRecords, noteUsageAtLeast } from './kept-attempt.ts';
import { refusedOutcome, replayKnown, replayOperation, unpaidOutcome } from './known-operation.ts';
import { openOperation, toldOfRefusal } from './open-operation.ts';
import type { OperationOutcome, OperationPlan, PlannedAnswer } from './operation-plan.ts';
import { joinUndelivered, marksRetries, noteWhenGone } from './undelivered.ts';

type Execution = { readonly attempts: readonly AttemptRecord[] } & (
  | {
      readonly kind: 'answered';
      readonly usage: readonly Usage[];
      readonly servedTier: string | null;
      readonly answer: PlannedAnswer;
    }
  /** Certain: the hold is free again. */
  | { readonly kind: 'not_executed'; readonly error: NotExecuted }
  /** Whatever else was thrown, by the provider or by reading its result; or time ran out. */
  | { readonly kind: 'unknown'; readonly cause: unknown; readonly usageAtLeast: readonly Usage[] }
);

/** Upstream requests recorded of one execution at the most. */
const attemptsMax = 64;

const timedOut = (): Error => new Error('the provider took longer than executionMs');

/** It ran, whatever reading its result throws: also "not executed" would be no excuse any more. */
const readResult = <R>(
  plan: OperationPlan<R>,
  operation: OperationRecord,
  result: R,
  attempts: readonly AttemptRecord[],
): Execution => {
  let usage: readonly Usage[] = [];
  try {
    usage = plan.measure(result);
    const servedTier = operation.serviceTier === null ? null : (plan.servedTier?.(result) ?? null);
    return { kind: 'answered', usage, servedTier, answer: plan.answer(result, operation), attempts };
  } catch (cause) {
    return { kind: 'unknown', cause, usageAtLeast: usage, attempts };
  }
};

/** Calls the provider once, after the start is durable. Never throws. */
const executePlan = async <R>(
  engine: Engine,
  plan: OperationPlan<R>,
  operation: OperationRecord,
): Promise<Execution> => {
  const attempts: AttemptRecord[] = [];
  if (plan.isAbandoned()) return { kind: 'not_executed', error: new NotExecuted({ reason: 'cancelled' }), attempts };
  const recordAttempt = (attempt: Attempt): void => {
    const kept = keptAttempt(plan.provider, attempt);
    if (attempts.length < attemptsMax) attempts.push(kept);
    showAttempt(engine, operation.id, kept);
  };
  try {
    const deadline = { ms: engine.limits.executionMs, late: timedOut };
    const result = await withDeadline(engine.clock, deadline, (signal) =>
      plan.execute({
        operationId: operation.id,
        createdAtMs: operation.createdAtMs,
        caller: callerOf(operation),
        signal,
        recordAttempt,
        upstreamHeaders: engine.host.upstreamHeaders?.(operation.id),
      }),
    );
    return readResult(plan, operation, result, attempts);
  } catch (cause) {
    if (isNotExecuted(cause)) return { kind: 'not_executed', error: cause, attempts };
    const usageAtLeast = readUsageAtLeast(cause);
    noteUsageAtLeast(attempts, usageAtLeast);
    return { kind: 'unknown', cause, usageAtLeast, attempts };
  }
};

/** The same, with its time shown to an observer. */
const observedExecution = async <R>(
  engine: Engine,
  observe: Observe,
  plan: OperationPlan<R>,
  operation: OperationRecord,
): Promise<Execution> => {
  const { clock } = engine;
  const executing = { operationId: operation.id, provider: plan.provider };
  const fromMs = clock.monotonicMs();
  observe({ kind: 'execution_started', ...executing });
  const execution = await executePlan(engine, plan, operation);
  const durationMs = clock.monotonicMs() - fromMs;
  const usage = execution.kind === 'answered' ? usageRecords(execution.usage) : [];
  observe({ kind: 'execution_ended', ...executing, durationMs, outcome: execution.kind, usage });
  return execution;
};

/**
 * The life of a synchronous operation, all of its branching: open, run the provider once, settle, answer. Works on after the
 * client has left; the outcome can be recovered by identity or id.
 */
export const runOperation = <R>(engine: Engine, plan: OperationPlan<R>): Promise<OperationOutcome> =>
  marksRetries(plan)
    ? joinUndelivered(engine, plan).then((joined) => joined ?? runLimited(engine, plan))
    : runLimited(engine, plan);

const runLimited = <R>(engine: Engine, plan: OperationPlan<R>): Promise<OperationOutcome> =>
  engine.host.limiter === null ? runOpened(engine, plan) : runWithin(engine, engine.host.limiter, plan);

/** Opens and runs. `onStart` is called where the plan is executed; a replay and a refusal execute nothing. */
const runOpened = async <R>(
  engine: Engine,
  plan: OperationPlan<R>,
  onStart?: () => void,
): Promise<OperationOutcome> => {
  const opened = await openOperation(engine, plan);
  switch (opened.kind) {
    case 'refused':
    case 'insufficient':
    case 'conflict':
      return { ...toldOfRefusal(opened), retryAfterMs: null };
    case 'known':
      return replayKnown(engine, opened.operationId);
    case 'started':
      onStart?.();
      return runStarted(engine, plan, opened.operation);
  }
};

/** The same within the limits of the caller: a place before anything is registered, given back after the end, whatever it was. */
const runWithin = async <R>(
  engine: Engine,
  limiter: AskedLimiter,
  plan: OperationPlan<R>,
): Promise<OperationOutcome> => {
  const takes = { requests: 1, tokens: countTokens(plan.estimate), concurrency: 1 } as const;
  const place = await reserveWithin(engine, limiter, { ...plan, takes });
  if (place?.kind === 'refused') return place;
  let tokens: number | null = 0;
  // A replay executes nothing, so that it uses no tokens.
  let isExecuted = false;
  try {
    const outcome = await runOpened(engine, plan, () => {
      isExecuted = true;
    });
    if (isExecuted) tokens = usedTokens(outcome);
    return outcome;
  } finally {
    await place?.release(tokens);
  }
};

/** What every line of an operation that a request runs says of it. */
const lineOf = ({ access }: Pick<OperationPlan<unknown>, 'access'>, { id }: OperationRecord) => ({
  requestId: access.requestId,
  operationId: id,
});

/** What a client was sent of an answer by now. A defect in reading it is no reason to lose the end of the operation. */
const sentSoFar = <R>(engine: Engine, plan: OperationPlan<R>, operation: OperationRecord): PlannedAnswer | null => {
  try {
    return plan.partialAnswer?.(operation) ?? null;
  } catch (cause) {
    engine.logger.error('what was sent of an answer could not be read', { ...lineOf(plan, operation), cause });
    return null;
  }
};

const runStarted = async <R>(
  engine: Engine,
  plan: OperationPlan<R>,
  operation: OperationRecord,
): Promise<OperationOutcome> => {
  engine.running.add(operation.id, engine.owner, () => sentSoFar(engine, plan, operation));
  const stopNoting = marksRetries(plan) ? noteWhenGone(engine, plan, operation.id) : null;
  try {
    const execution =
      engine.host.observe === null
        ? await executePlan(engine, plan, operation)
        : await observedExecution(engine, engine.host.observe, plan, operation);
    return await concludeExecution(engine, plan, operation, execution);
  } catch (cause) {
    // The storage could not confirm the end: the lease runs out, and the operation becomes uncertain unless it was decided.
    engine.logger.error('the end of an operation could not be stored', { ...lineOf(plan, operation), cause });
    return refusedOutcome('request_failed', operation.id);
  } finally {
    stopNoting?.();
    engine.running.delete(operation.id);
  }
};

const concludeExecution = <R>(
  engine: Engine,
  plan: OperationPlan<R>,
  operation: OperationRecord,
  execution: Execution,
): Promise<OperationOutcome> => {
  switch (execution.kind) {
    case 'answered':
      return settleAnswer(engine, plan, operation, execution);
    case 'not_executed':
      return failNotExecuted(engine, plan, operation, execution);
    case 'unknown':
      return keepUnknown(engine, plan, operation, execution);
  }
};

type Ended<Kind extends Execution['kind']> = Extract<Execution, { readonly kind: Kind }>;

const failNotExecuted = async <R>(
  engine: Engine,
  plan: OperationPlan<R>,
  operation: OperationRecord,
  { error, attempts }: Ended<'not_executed'>,
): Promise<OperationOutcome> => {
  const code = notExecutedCode(error.reason);
  // A client that left in time is no failure, and says nothing about the upstream.
  if (code === 'request_cancelled') engine.logger.info('not executed', { ...lineOf(plan, operation), code });
  else engine.logger.warn('not executed', { ...lineOf(plan, operation), code, cause: error });
  await engine.operationLedger.fail(failCommand(engine, operation, code, attempts));
  const { field, detail: refusal, retryAfterMs = null } = error;
  return { kind: 'refused', code, requestId: operation.id, retryAfterMs, field, refusal };
};

const keepUnknown = async <R>(
  engine: Engine,
  plan: OperationPlan<R>,
  operation: OperationRecord,
  { cause, usageAtLeast: atLeast, attempts }: Ended<'unknown'>,
): Promise<OperationOutcome> => {
  engine.logger.error('outcome unknown', { ...lineOf(plan, operation), cause });
  const usageAtLeast = leastRecords(atLeast);
  const answer = await partialEvidence(engine, operation.id, sentSoFar(engine, plan, operation));
  await markUncertain(engine, operation, { usage: null, usageAtLeast, attempts, answer, toolContexts: [] });
  return refusedOutcome('request_failed', operation.id);
};

const settleAnswer = async <R>(
  engine: Engine,
  plan: Pick<OperationPlan<R>, 'uses' | 'access'>,
  operation: OperationRecord,
  execution: Ended<'answered'>,
): Promise<OperationOutcome> => {
  const { servedTier, usage, attempts } = execution;
  const served = servedTier === null ? operation : { ...operation, servedTier };
  const measure = measureUsage(engine, served, usage, attempts);
  const collecting = collectEvidence(engine, operation, execution);
  const evidence = collecting instanceof Promise ? await collecting : collecting;
  if (measure === null) {
    engine.logger.error('consumption unknown', lineOf(plan, operation));
    const usageAtLeast = leastRecords(usage);
    await markUncertain(engine, operation, { ...evidence, usage: null, usageAtLeast });
    return refusedOutcome('request_failed', operation.id);
  }
  const uses = (plan.uses ?? []).map(({ id }) => useId(id, operation.id));
  const settled = await engine.operationLedger.settle({ ...settleCommand(engine, operation, measure, evidence), uses });
  return outcomeOfSettle(engine, settled, execution.answer.body, operation.id);
};

const outcomeOfSettle = (
  engine: Engine,
  settled: SettleAnswer,
  body: string,
  operationId: string,
): OperationOutcome | Promise<OperationOutcome> => {
  switch (settled.kind) {
    case 'settled':
      return { kind: 'completed', operation: settled.operation, body, division: null, replayed: false };
    case 'pending':
      return unpaidOutcome(operationId);
    case 'ended':
      // Sent twice, or decided by an operator meanwhile: every caller gets what is on record.
      return replayOperation(engine, settled.operation).then((outcome) =>
        outcome.kind === 'completed' ? { ...outcome, replayed: false } : refusedOutcome('request_failed', operationId),
      );
    case 'missing':
      return refusedOutcome('request_failed', operationId);
  }
};
