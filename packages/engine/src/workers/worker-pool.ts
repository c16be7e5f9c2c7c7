import type { OperationRecord } from '@tollgate/storage';
import { putBack } from '../decisions/put-back.ts';
import type { Engine } from '../engine.ts';
import { commitOnce } from '../operations/persist.ts';
import { notifyAfter } from '../jobs/job-signal.ts';
import type { ResourceKinds } from './resource-kinds.ts';
import { runWork } from './run-work.ts';
import type { WorkKind } from './work-kind.ts';

/** The work under way in this process, bounded by kind and by project. */
export interface WorkerPool {
  /** What this pool works on; work of any other kind is put back. */
  readonly kinds: ResourceKinds;
  /** Runs a claimed operation, or puts it back where there is no room; resolves when it is decided which. */
  take(claimed: OperationRecord): Promise<void>;
  /** Aborts work that another process has taken. */
  lose(operationIds: readonly string[]): void;
  /** Begins nothing more. */
  drain(): void;
  isDraining(): boolean;
  /** Aborts what is running, and resolves when all of it has stopped. */
  stop(): Promise<void>;
  /** Resolves when nothing is being worked on. */
  idle(): Promise<void>;
  /** How many are being worked on. */
  count(): number;
}

/** How long work waits for room before it is due again. */
const roomMs = 500;

interface Running {
  readonly kind: string;
  readonly projectId: string;
  readonly abort: AbortController;
  readonly end: Promise<void>;
}

const hasRoom = (running: ReadonlyMap<string, Running>, kind: WorkKind, projectId: string): boolean => {
  let ofKind = 0;
  let ofProject = 0;
  for (const each of running.values()) {
    if (each.kind !== kind.kind) continue;
    ofKind += 1;
    if (each.projectId === projectId) ofProject += 1;
  }
  return ofKind < kind.runningMax && ofProject < kind.runningPerProjectMax;
};

/** Gives a claim up again: the row is due a little later, for a process that has room then. */
const giveBack = async (engine: Engine, claimed: OperationRecord): Promise<void> => {
  const command = { operationId: claimed.id, claimedBy: claimed.owner ?? '', afterMs: roomMs };
  await commitOnce(engine, putBack(command));
  notifyAfter(engine, roomMs);
};

const endOf = async (running: ReadonlyMap<string, Running>): Promise<void> => {
  while (running.size > 0) await Promise.all([...running.values()].map(({ end }) => end));
};

/** The workers of one process: they take claimed operations of these kinds, each for one turn. */
export const createWorkerPool = (engine: Engine, kinds: ResourceKinds): WorkerPool => {
  const running = new Map<string, Running>();
  let draining = false;
  const isDraining = (): boolean => draining;
  const begin = (kind: WorkKind, claimed: OperationRecord): void => {
    const abort = new AbortController();
    const end = runWork(engine, kind, claimed, { signal: abort.signal, isDraining })
      .catch((cause: unknown) => engine.logger.error('work failed', { operationId: claimed.id, cause }))
      .finally(() => running.delete(claimed.id));
    running.set(claimed.id, { kind: kind.kind, projectId: claimed.projectId, abort, end });
  };
  const idle = (): Promise<void> => endOf(running);
  return {
    kinds,
    take: async (claimed) => {
      const kind = kinds.get(claimed.kind);
      const before = running.get(claimed.id);
      // The claim means that the lease ran out: the turn before has lost the work, and must stop first.
      before?.abort.abort();
      const free = before === undefined && !draining;
      if (kind !== undefined && free && hasRoom(running, kind, claimed.projectId)) begin(kind, claimed);
      else await giveBack(engine, claimed);
    },
    lose: (operationIds) => {
      for (const id of operationIds) running.get(id)?.abort.abort();
    },
    drain: () => {
      draining = true;
    },
    isDraining,
    stop: () => {
      draining = true;
      for (const { abort } of running.values()) abort.abort();
      return idle();
    },
    idle,
    count: () => running.size,
  };
};
