import { isNotExecuted, NotExecuted, type Attempt, type Usage } from '@tollgate/provider';
import type { AttemptRecord, OperationRecord } from '@tollgate/storage';
import type { Engine } from './engine.ts';
import type { OperationPlan, PlannedAnswer } from './operation-plan.ts';

export type Execution = { readonly attempts: readonly AttemptRecord[] } & (
  | { readonly kind: 'answered'; readonly usage: readonly Usage[]; readonly answer: PlannedAnswer }
  /** Certain: the hold is free again. */
  | { readonly kind: 'not_executed'; readonly error: NotExecuted }
  /** Whatever else was thrown, by the provider or by reading its result; or time ran out. */
  | { readonly kind: 'unknown'; readonly cause: unknown }
);

/** Wire calls recorded of one execution at the most. */
const attemptsMax = 64;

const timedOut = (): Error => new Error('the provider took longer than executionMs');

/** It ran, whatever reading its result throws: also "not executed" would be no excuse any more. */
const readResult = <R>(
  plan: OperationPlan<R>,
  operation: OperationRecord,
  result: R,
  attempts: readonly AttemptRecord[],
): Execution => {
  try {
    return { kind: 'answered', usage: plan.measure(result), answer: plan.answer(result, operation), attempts };
  } catch (cause) {
    return { kind: 'unknown', cause, attempts };
  }
};

/** Calls the provider once, after the start is durable. Never throws. */
export const executePlan = async <R>(
  engine: Engine,
  plan: OperationPlan<R>,
  operation: OperationRecord,
): Promise<Execution> => {
  const attempts: AttemptRecord[] = [];
  if (plan.isAbandoned()) return { kind: 'not_executed', error: new NotExecuted({ reason: 'cancelled' }), attempts };
  const abort = new AbortController();
  const recordAttempt = (attempt: Attempt): void => {
    if (attempts.length < attemptsMax) attempts.push({ provider: plan.provider, ...attempt });
  };
  const { promise: late, reject } = Promise.withResolvers<never>();
  const callOff = engine.after(engine.limits.executionMs, () => {
    const cause = timedOut();
    abort.abort(cause);
    reject(cause);
  });
  try {
    const context = { operationId: operation.id, signal: abort.signal, recordAttempt };
    return readResult(plan, operation, await Promise.race([plan.execute(context), late]), attempts);
  } catch (cause) {
    if (isNotExecuted(cause)) return { kind: 'not_executed', error: cause, attempts };
    return { kind: 'unknown', cause, attempts };
  } finally {
    callOff();
  }
};
