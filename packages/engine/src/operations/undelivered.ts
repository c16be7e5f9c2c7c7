import type { OperationRecord } from '@tollgate/storage';
import { withDeadline } from '../workers/with-deadline.ts';
import {
  noteUndelivered,
  takeUndelivered,
  undeliveredMarkKey,
  type RepeatedRequest,
} from '../decisions/undelivered.ts';
import type { Engine } from '../engine.ts';
import { refusedOutcome, replayOperation } from './known-operation.ts';
import type { ClientRetry, OperationOutcome, OperationPlan } from './operation-plan.ts';
import { commit, commitOnce } from './persist.ts';

/** How often a retry looks whether the operation that it has taken up has ended; any process may be running it. */
const recheckAfterMs = 500;

type RetriedPlan = Pick<OperationPlan<unknown>, 'access' | 'fingerprint'> & { readonly retry: ClientRetry };

/** Whether the client's own marks show, and not by an identity, that a request is sent again. */
export const marksRetries = <P extends Pick<OperationPlan<unknown>, 'identity' | 'retry'>>(
  plan: P,
): plan is P & { readonly retry: ClientRetry } => plan.identity === null && plan.retry !== undefined;

const requestOf = ({ access, fingerprint }: RetriedPlan): RepeatedRequest => ({
  keyId: access.keyId,
  projectId: access.projectId,
  accountId: access.accountId,
  tokenId: access.tokenId,
  fingerprint,
});

const note = async (engine: Engine, plan: RetriedPlan, operationId: string): Promise<void> => {
  const command = {
    ...requestOf(plan),
    operationId,
    retries: plan.retry.count,
    keptMs: engine.limits.undeliveredKeptMs,
  };
  try {
    await commit(engine, noteUndelivered(command));
  } catch (cause) {
    // A retry then executes anew, as it would without any of this.
    engine.logger.warn('an undelivered answer could not be noted', { operationId, cause });
  }
};

/** Whether any operation of a key may wait for a retry; told without the body of the request. */
export const hasUndelivered = async ({ storage }: Engine, keyId: string): Promise<boolean> => {
  const { table, id } = undeliveredMarkKey(keyId);
  return (await storage.read([{ table, id }])).get(table, id) !== undefined;
};

/** Notes the operation for a retry when the client leaves it without an answer. Returns what ends the watch. */
export const noteWhenGone = (engine: Engine, plan: RetriedPlan, operationId: string): (() => void) =>
  plan.retry.onGone(() => void engine.backgroundTasks.run(() => note(engine, plan, operationId)));

/** Resolves after a time, or as soon as the client has left. */
const pause = ({ clock }: Engine, ms: number, gone: Promise<void>): Promise<void> =>
  withDeadline(clock, { ms, onLate: () => undefined }, () => gone);

const findOperation = async ({ storage }: Pick<Engine, 'storage'>, id: string): Promise<OperationRecord | undefined> =>
  (await storage.read([{ table: 'operation', id }])).get('operation', id);

/** Still on its way to an end, in whichever process. */
const isUnderWay = ({ state, endedAtMs }: OperationRecord): boolean => endedAtMs === null && state !== 'uncertain';

/**
 * Waits for the end of an operation that a retry has taken up, and tells it. Null where it executed nothing, so that the retry
 * may. An operation ends by itself: it is executed for `executionMs` at the most, and one whose process died is uncertain when
 * its lease has run out. It is not waited for longer than both together.
 */
const followOperation = async (
  engine: Engine,
  plan: RetriedPlan,
  operationId: string,
): Promise<OperationOutcome | null> => {
  const { executionMs, leaseMs } = engine.limits;
  const untilMs = engine.clock.monotonicMs() + executionMs + leaseMs;
  const { promise: gone, resolve: leave } = Promise.withResolvers<void>();
  let hasLeft = false;
  const stop = plan.retry.onGone(() => {
    hasLeft = true;
    leave();
  });
  try {
    for (;;) {
      if (hasLeft) {
        await note(engine, plan, operationId);
        return refusedOutcome('request_in_progress', operationId);
      }
      const operation = await findOperation(engine, operationId);
      if (operation === undefined || operation.state === 'failed') return null;
      const isLate = engine.clock.monotonicMs() >= untilMs;
      if (isLate || !isUnderWay(operation)) return await replayOperation(engine, operation);
      await pause(engine, recheckAfterMs, gone);
    }
  } finally {
    stop();
  }
};

/**
 * What a retry gets that its client marks as one: the answer of the operation that an earlier try of it left without a reader,
 * executed and charged once. Null where there is none, and the retry is a request like any other.
 */
export const joinUndelivered = async (engine: Engine, plan: RetriedPlan): Promise<OperationOutcome | null> => {
  if (plan.retry.count === 0) return null;
  const command = { ...requestOf(plan), retries: plan.retry.count };
  const answer = await commitOnce(engine, takeUndelivered(command));
  switch (answer.kind) {
    case 'none':
      return null;
    case 'refused':
      return refusedOutcome(answer.code, null);
    case 'taken':
      engine.logger.info('a retry takes up an operation', { operationId: answer.operationId });
      return followOperation(engine, plan, answer.operationId);
  }
};
