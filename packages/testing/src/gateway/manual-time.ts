/** Time that moves only when told to: the storage's clock and the timers of the process in one. */
export interface ManualTime {
  readonly now: () => number;
  /** Moves on, and runs the timers that fall due. */
  readonly advance: (ms: number) => void;
  readonly monotonicMs: () => number;
  /** A wait of no length is over in the next turn of the event loop. */
  readonly after: (ms: number, run: () => void) => () => void;
  /** Returns in the next turn of the event loop: pauses between tries cost a case nothing. */
  readonly sleep: (ms: number) => Promise<void>;
}

interface Timer {
  readonly dueAtMs: number;
  readonly run: () => void;
}

export const createManualTime = (startMs: number): ManualTime => {
  let nowMs = startMs;
  const timers = new Set<Timer>();
  const runDue = (): void => {
    for (const timer of timers) {
      if (timer.dueAtMs > nowMs || !timers.delete(timer)) continue;
      timer.run();
    }
  };
  return {
    now: () => nowMs,
    monotonicMs: () => nowMs,
    advance: (ms) => {
      nowMs += ms;
      runDue();
    },
    after: (ms, run) => {
      const timer: Timer = { dueAtMs: nowMs + ms, run };
      timers.add(timer);
      if (ms <= 0) setImmediate(runDue);
      return () => void timers.delete(timer);
    },
    sleep: () => new Promise((resolve) => setImmediate(resolve)),
  };
};
