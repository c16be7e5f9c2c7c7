/** A clock that a test turns by hand. Its functions fit the engine's options of the same names. */
export interface FakeClock {
  readonly now: () => number;
  readonly monotonicMs: () => number;
  /** Resolves when the clock has been turned so far. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Runs once when the clock has been turned so far; returns how to call it off. */
  readonly after: (ms: number, run: () => void) => () => void;
  /** Turns the clock, running what falls due in its order; what that sets off has run as far as it can without time. */
  readonly advance: (ms: number) => Promise<void>;
  /** How many sleeps and timers wait. */
  readonly waiting: () => number;
}

interface Timer {
  readonly dueAtMs: number;
  readonly run: () => void;
}

/** Lets everything go on that waits for nothing outside the process. */
const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const takeNext = (timers: Set<Timer>, untilMs: number): Timer | undefined => {
  let next: Timer | undefined;
  for (const timer of timers)
    if (timer.dueAtMs <= untilMs && (next === undefined || timer.dueAtMs < next.dueAtMs)) next = timer;
  if (next !== undefined) timers.delete(next);
  return next;
};

export const fakeClock = (startMs = 0): FakeClock => {
  let nowMs = startMs;
  const timers = new Set<Timer>();
  const after = (ms: number, run: () => void): (() => void) => {
    const timer = { dueAtMs: nowMs + ms, run };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  return {
    now: () => nowMs,
    monotonicMs: () => nowMs,
    after,
    sleep: (ms) => new Promise((resolve) => void after(ms, resolve)),
    advance: async (ms) => {
      const untilMs = nowMs + ms;
      await breathe();
      for (let timer = takeNext(timers, untilMs); timer !== undefined; timer = takeNext(timers, untilMs)) {
        nowMs = Math.max(nowMs, timer.dueAtMs);
        timer.run();
        await breathe();
      }
      nowMs = untilMs;
    },
    waiting: () => timers.size,
  };
};
