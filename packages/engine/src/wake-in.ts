import type { Engine } from './engine.ts';

/** Wakes the jobs of this process when something that was put off is due, where the next round would come later. */
export const wakeIn = ({ wake, after, limits }: Engine, ms: number): void => {
  if (ms < limits.sweepMs) after(ms, () => wake.wake());
};
