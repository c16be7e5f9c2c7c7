import { isNotExecuted, readUsageAtLeast, type Attempt, type CallContext } from '@tollgate/provider';
import type { AttemptRecord, OperationRecord, ResourceRecord } from '@tollgate/storage';
import { storeAnswer, storeAnswerChunks } from '../operations/answers.ts';
import { callerOf } from '../operations/caller-of.ts';
import {
  markUncertain,
  failCommand,
  measureUsage,
  notExecutedCode,
  settleCommand,
  usageRecords,
} from '../operations/conclude.ts';
import { checkpointWork, type CheckpointWorkCommand } from '../decisions/checkpoint-work.ts';
import { putBack } from '../decisions/put-back.ts';
import { startWork } from '../decisions/start-work.ts';
import type { Evidence } from '../decisions/settle.ts';
import type { Engine } from '../engine.ts';
import { showAttempt } from '../operations/show-attempt.ts';
import { keptAttempt, leastRecords, noteUsageAtLeast } from '../operations/kept-attempt.ts';
import { commit, commitOnce, patienceOf, persist } from '../operations/persist.ts';
import { notifyAfter } from '../jobs/job-signal.ts';
import type { TurnOutcome } from '../ports/observer.ts';
import { commitWork, persistWork } from './persist-work.ts';
import { showTurn, type ShownTurn } from './shown-turn.ts';
import {
  isLostWork,
  LostWork,
  type KnownPart,
  type WorkContext,
  type WorkKind,
  type WorkOutcome,
  type WorkResult,
} from './work-kind.ts';

/** Upstream requests kept of one piece of work at the most. */
const attemptsMax = 256;

const readResource = async ({ storage }: Pick<Engine, 'storage'>, id: string): Promise<ResourceRecord | undefined> =>
  (await storage.read([{ table: 'resource', id }])).get('resource', id);

const readOperation = async ({ storage }: Pick<Engine, 'storage'>, id: string): Promise<OperationRecord | undefined> =>
  (await storage.read([{ table: 'operation', id }])).get('operation', id);

const beginTurn = async (engine: Engine, claimed: OperationRecord): Promise<OperationRecord | null> => {
  const command = {
    operationId: claimed.id,
    claimedBy: claimed.owner ?? '',
    // A name for this turn alone: a turn that lost its lease is distinguished from the next one, even in the same process.
    owner: `${engine.owner}/${engine.newId()}`,
    leaseMs: engine.limits.leaseMs,
  };
  const started = await commit(engine, startWork(command));
  return started.kind === 'started' ? started.operation : null;
};

const checkpoint = async (engine: Engine, command: CheckpointWorkCommand): Promise<void> => {
  const kept = await commitWork(engine, command.operationId, checkpointWork(command));
  if (kept.kind === 'lost') throw new LostWork('the work is in other hands');
};

const letGo = async (engine: Engine, { operation, owner }: Turn): Promise<void> => {
  const command = { operationId: operation.id, claimedBy: owner, afterMs: 0 };
  await commitOnce(engine, putBack(command));
};

interface Turn {
  readonly kind: WorkKind;
  readonly operation: OperationRecord;
  /** As it was when the turn began. */
  readonly resource: ResourceRecord;
  /** The name that its lease is held by. */
  readonly owner: string;
  readonly attempts: AttemptRecord[];
  /** Null where no one observes. */
  readonly shown: ShownTurn | null;
}

/** What the process says to a turn. */
export interface TurnControl {
  /** Aborts when the work is lost to another worker, or when the process stops. */
  readonly signal: AbortSignal;
  /** Whether the process is about to stop. */
  readonly isDraining: () => boolean;
}

const callContextOf = (engine: Engine, turn: Turn, signal: AbortSignal, provider: string): CallContext => {
  const { operation, attempts } = turn;
  turn.shown?.call(provider);
  return {
    caller: callerOf(operation),
    signal,
    recordAttempt: (attempt: Attempt) => {
      const kept = keptAttempt(provider, attempt);
      if (attempts.length < attemptsMax) attempts.push(kept);
      showAttempt(engine, operation.id, kept);
    },
    upstreamHeaders: engine.host.upstreamHeaders?.(operation.id),
  };
};

const contextOf = (engine: Engine, turn: Turn, control: TurnControl): WorkContext => {
  const { operation, owner, attempts } = turn;
  const { signal, isDraining } = control;
  return {
    signal,
    owner,
    callContext: (provider) => callContextOf(engine, turn, signal, provider),
    checkpoint: (work, shown = {}) => {
      // An aborted turn has lost its work, or is about to.
      if (signal.aborted) return Promise.reject(new LostWork('the work was let go of'));
      return checkpoint(engine, {
        operationId: operation.id,
        owner,
        work,
        publicFields: shown,
        attempts: [...attempts],
        next: { kind: 'lease', leaseMs: engine.limits.leaseMs },
      });
    },
    isCancelling: async () => {
      const now = await persistWork(engine, operation.id, () => readOperation(engine, operation.id));
      return now?.state === 'cancelling';
    },
    accessRefusal: () => persistWork(engine, operation.id, () => engine.access.refusalOf(operation)),
    isDraining,
  };
};

const runKind = async ({ kind, operation, resource }: Turn, context: WorkContext): Promise<WorkOutcome | 'lost'> => {
  try {
    return await kind.run({ operation, resource }, context);
  } catch (cause) {
    if (isLostWork(cause)) return 'lost';
    return isNotExecuted(cause) ? { kind: 'not_executed', error: cause } : { kind: 'unknown', cause };
  }
};

const storeResult = (engine: Engine, { operation }: Turn, result: WorkResult): Promise<Evidence['answer']> =>
  persist(patienceOf(engine), () =>
    typeof result === 'string'
      ? storeAnswer(engine, operation.id, result)
      : storeAnswerChunks(engine, operation.id, result()),
  );

/** What a turn knows, ready to be stored in the step that settles it or marks it uncertain. */
const evidenceOf = async (engine: Engine, turn: Turn, known: KnownPart): Promise<Evidence> => ({
  usage: usageRecords(known.usage),
  attempts: turn.attempts,
  answer: known.result === null ? null : await storeResult(engine, turn, known.result),
  toolContexts: [],
  closing: known.closing,
});

/** Says of work that is still this turn's that its outcome or its measure is unknown; another turn may know better. */
const markTurnUncertain = async (engine: Engine, turn: Turn, evidence: Evidence): Promise<void> => {
  await markUncertain(engine, turn.operation, evidence, turn.owner);
};

const settleDone = async (
  engine: Engine,
  turn: Turn,
  done: Extract<WorkOutcome, { readonly kind: 'done' }>,
): Promise<void> => {
  const { operation, kind } = turn;
  // Truth is truth, even where the lease ran out meanwhile: the first to bring a measure settles.
  const evidence = await evidenceOf(engine, turn, done);
  const measure = measureUsage(engine, operation, done.usage, evidence.attempts ?? []);
  if (measure === null) {
    engine.logger.error('consumption unknown', { operationId: operation.id });
    await markTurnUncertain(engine, turn, { ...evidence, usage: null, usageAtLeast: leastRecords(done.usage) });
    return;
  }
  const command = settleCommand(engine, operation, done.measure ?? measure, evidence);
  await engine.operationLedger.settle({ ...command, answerKeptMs: kind.resultKeptMs });
};

const endUnknown = async (
  engine: Engine,
  turn: Turn,
  { cause, known, usageAtLeast: least }: Extract<WorkOutcome, { readonly kind: 'unknown' }>,
): Promise<void> => {
  const { operation, attempts } = turn;
  engine.logger.error('outcome unknown', { operationId: operation.id, cause });
  const told = readUsageAtLeast(cause);
  noteUsageAtLeast(attempts, told);
  const usageAtLeast = leastRecords([...(known?.usage ?? []), ...(least ?? told)]);
  const nothing: Evidence = { usage: null, attempts, answer: null, toolContexts: [] };
  const evidence = known === undefined ? nothing : await evidenceOf(engine, turn, known);
  await markTurnUncertain(engine, turn, { ...evidence, usageAtLeast });
  await reconcileLate(engine, turn);
};

/** Results that were recorded while this worker held the lease are settled here; results from now on settle it themselves. */
const reconcileLate = async (engine: Engine, turn: Turn): Promise<void> => {
  const { operation, resource, kind } = turn;
  const outcome = await kind.reconcileLate?.({ operation, resource });
  if (outcome?.kind === 'done') await settleDone(engine, turn, outcome);
};

const fail = async (engine: Engine, turn: Turn, code: string): Promise<void> => {
  const { operation, owner, attempts, resource, kind } = turn;
  // The worker that has it by then may have submitted it.
  const failed = await engine.operationLedger.fail({ ...failCommand(engine, operation, code, attempts), owner });
  if (failed.kind !== 'failed') return;
  try {
    await kind.clearFailed?.(resource);
  } catch (cause) {
    engine.logger.warn('what a failed resource stored is left to the sweep', { operationId: operation.id, cause });
  }
};

const conclude = async (engine: Engine, turn: Turn, outcome: WorkOutcome): Promise<void> => {
  const { operation, owner, attempts } = turn;
  const storeProgress = (
    work: unknown,
    shown: CheckpointWorkCommand['publicFields'] | undefined,
    next: CheckpointWorkCommand['next'],
  ) => checkpoint(engine, { operationId: operation.id, owner, work, publicFields: shown ?? {}, attempts, next });
  switch (outcome.kind) {
    case 'later':
      await storeProgress(outcome.work, outcome.publicFields, { kind: 'later', afterMs: outcome.afterMs });
      return notifyAfter(engine, outcome.afterMs);
    case 'active':
      return storeProgress(outcome.work, outcome.publicFields, { kind: 'active', untilMs: outcome.untilMs });
    case 'done':
      return settleDone(engine, turn, outcome);
    case 'not_executed':
      engine.logger.warn('not executed', { operationId: operation.id, cause: outcome.error });
      return fail(engine, turn, notExecutedCode(outcome.error.reason));
    case 'refused':
      engine.logger.warn('refused', { operationId: operation.id, code: outcome.code, cause: outcome.cause });
      return fail(engine, turn, outcome.code);
    case 'cancelled':
      return fail(engine, turn, 'cancelled');
    case 'unknown':
      return endUnknown(engine, turn, outcome);
  }
};

/**
 * One turn of work on a claimed operation: takes charge, goes on from where the record stands, and makes the outcome durable.
 * Whatever dies in between is found by the next worker as the record has it. Never throws for what a kind does.
 */
export const runWork = async (
  engine: Engine,
  kind: WorkKind,
  claimed: OperationRecord,
  control: TurnControl,
): Promise<void> => {
  const operation = await beginTurn(engine, claimed);
  if (operation === null) return;
  const resource = await readResource(engine, operation.id);
  if (resource === undefined) throw new Error('work without a resource');
  const owner = operation.owner ?? '';
  const shown = showTurn(engine, operation, owner);
  const turn: Turn = { kind, operation, resource, owner, attempts: [...operation.attempts], shown };
  let ended: TurnOutcome = 'not_stored';
  engine.running.add(operation.id, owner);
  try {
    const outcome = await runKind(turn, contextOf(engine, turn, control));
    if (outcome === 'lost') {
      ended = 'lost';
      return;
    }
    // Let go of in the middle: the record says how far it came, and the next worker decides what that means.
    if (control.signal.aborted && outcome.kind === 'unknown') await letGo(engine, turn);
    else await conclude(engine, turn, outcome);
    ended = outcome.kind;
  } catch (cause) {
    // The lease runs out, and the next worker finds the record as it is.
    if (!isLostWork(cause))
      engine.logger.error('the end of work could not be stored', { operationId: operation.id, cause });
  } finally {
    engine.running.delete(operation.id);
    shown?.end(ended);
  }
};
