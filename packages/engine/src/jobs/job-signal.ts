import type { Engine, JobSignal } from '../engine.ts';

export const createJobSignal = (): JobSignal => {
  const listeners = new Set<() => void>();
  return {
    notify: () => {
      for (const listener of listeners) listener();
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};

/** Notifies the jobs of this process when something that was put off is due, where their next round would come later. */
export const notifyAfter = (
  { signals, clock, limits }: Pick<Engine, 'signals' | 'clock' | 'limits'>,
  ms: number,
): void => {
  if (ms < limits.sweepMs) clock.after(ms, () => signals.workDue.notify());
};
