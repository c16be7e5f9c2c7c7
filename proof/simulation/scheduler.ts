import type { Fault, FaultedCall } from '@tollgate/testing/fakes';
import type { Life } from './life.ts';
import type { Random } from './random.ts';

/** A promise with a waiting caller. Nothing goes on until the scheduler says so. */
export type Task =
  /** A call on its way to the storage, the ledger or the identities. */
  | { readonly kind: 'call'; readonly life: Life; readonly call: FaultedCall; readonly fire: (fault: Fault) => void }
  /** An answer on its way back. */
  | { readonly kind: 'answer'; readonly life: Life; readonly fire: () => void }
  /** A provider at work. */
  | { readonly kind: 'provider'; readonly life: Life; readonly fire: () => void }
  /** A pause or a time-out of a process. */
  | { readonly kind: 'timer'; readonly life: Life; readonly dueAtMs: number; readonly fire: () => void }
  /** A call that its caller has given up, and which has still to take effect. */
  | { readonly kind: 'late'; readonly fire: () => void };

export interface Scheduler {
  readonly tasks: readonly Task[];
  readonly add: (task: Task) => void;
  /** Takes a task out, so that it may be fired or dropped. */
  readonly take: (at: number) => Task | undefined;
  readonly remove: (task: Task) => void;
}

export const createScheduler = (): Scheduler => {
  const tasks: Task[] = [];
  const take = (at: number): Task | undefined => {
    const taken = tasks[at];
    const last = tasks.pop();
    if (last !== undefined && at < tasks.length) tasks[at] = last;
    return taken;
  };
  return {
    tasks,
    add: (task) => void tasks.push(task),
    take,
    remove: (task) => {
      const at = tasks.indexOf(task);
      if (at >= 0) take(at);
    },
  };
};

/**
 * Leaves none of a dead process's waits behind: what was on its way may take effect now, later or never, and no caller learns
 * of it.
 */
export const dropTasksOf = (scheduler: Scheduler, life: Life, random: Random): void => {
  for (const task of scheduler.tasks.filter((waiting) => waiting.kind !== 'late' && waiting.life === life)) {
    scheduler.remove(task);
    if (task.kind !== 'call') continue;
    const fate = random.below(3);
    if (fate === 0) task.fire({ kind: 'unanswered' });
    if (fate === 1) scheduler.add({ kind: 'late', fire: () => task.fire({ kind: 'unanswered' }) });
  }
};
