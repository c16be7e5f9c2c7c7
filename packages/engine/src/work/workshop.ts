import type { OperationRecord } from '@tollgate/storage';
import { decidePutBack, putBackKeys } from '../decisions/put-back.ts';
import type { Engine } from '../engine.ts';
import { wakeIn } from '../wake-in.ts';
import { runWork } from './run-work.ts';
import type { WorkKind } from './work-kind.ts';

/** The work under way in this process, bounded by kind and by project. */
export interface Workshop {
  /** Teaches a kind; each may be taught once. */
  add(kind: WorkKind): void;
  find(kind: string): WorkKind | null;
  /** Takes a claimed operation on, or puts it back where there is no room; resolves when it is decided which. */
  take(engine: Engine, claimed: OperationRecord): Promise<void>;
  /** Aborts work that another process has taken. */
  lose(operationIds: readonly string[]): void;
  /** Takes nothing more on. */
  drain(): void;
  isDraining(): boolean;
  /** Lets go of everything: aborts what is running and resolves when it has stopped. */
  stop(): Promise<void>;
  /** Resolves when nothing is being worked on. */
  idle(): Promise<void>;
}

/** How long work waits for room before it is looked at again. */
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

/** Gives a claim up again: the row is due a little later, for whoever has room then. */
const putBack = async (engine: Engine, claimed: OperationRecord): Promise<void> => {
  const command = { operationId: claimed.id, claimedBy: claimed.owner ?? '', afterMs: roomMs };
  await engine.storage.transact(putBackKeys(command), decidePutBack(command));
  wakeIn(engine, roomMs);
};

export const createWorkshop = (): Workshop => {
  const byKind = new Map<string, WorkKind>();
  const running = new Map<string, Running>();
  let draining = false;
  const begin = (engine: Engine, kind: WorkKind, claimed: OperationRecord): void => {
    const abort = new AbortController();
    const end = runWork(engine, kind, claimed, abort.signal)
      .catch((cause: unknown) => engine.logger.error('work failed', { operationId: claimed.id, cause }))
      .finally(() => running.delete(claimed.id));
    running.set(claimed.id, { kind: kind.kind, projectId: claimed.projectId, abort, end });
  };
  const all = async (): Promise<void> => {
    while (running.size > 0) await Promise.all([...running.values()].map(({ end }) => end));
  };
  return {
    add: (kind) => {
      if (byKind.has(kind.kind)) throw new TypeError(`the kind ${kind.kind} is taught already`);
      byKind.set(kind.kind, kind);
    },
    find: (kind) => byKind.get(kind) ?? null,
    take: async (engine, claimed) => {
      const kind = byKind.get(claimed.kind);
      const before = running.get(claimed.id);
      // Whoever could claim it found its lease run out: the turn before has lost the work, and must stop first.
      before?.abort.abort();
      const free = before === undefined && !draining;
      if (kind !== undefined && free && hasRoom(running, kind, claimed.projectId)) begin(engine, kind, claimed);
      else await putBack(engine, claimed);
    },
    lose: (operationIds) => {
      for (const id of operationIds) running.get(id)?.abort.abort();
    },
    drain: () => {
      draining = true;
    },
    isDraining: () => draining,
    stop: async () => {
      draining = true;
      for (const { abort } of running.values()) abort.abort();
      await all();
    },
    idle: all,
  };
};
