import type { Engine } from '../engine.ts';

/** Waits for work, but no longer than that; the work goes on by itself. */
export const waitAtMost = async (engine: Engine, ms: number, work: Promise<unknown>): Promise<void> => {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const cancelTimer = engine.clock.after(ms, resolve);
  try {
    await Promise.race([work, late]);
  } finally {
    cancelTimer();
  }
};
