import type { Life } from './life.ts';
import type { Stage } from './stage.ts';

/** The pauses and time-outs of a process. */
export const waits = (stage: Stage, life: Life) => {
  const after = (ms: number, fire: () => void): (() => void) => {
    if (stage.over) return () => {};
    const task = { kind: 'timer', life, dueAtMs: stage.clock.nowMs + ms, fire } as const;
    stage.scheduler.add(task);
    return () => stage.scheduler.remove(task);
  };
  const sleep = (ms: number): Promise<void> =>
    stage.over ? Promise.resolve() : new Promise((resolve) => void after(ms, resolve));
  return { after, sleep };
};
