/** Lets a bounded number in at once, and a bounded number wait. */
export interface TurnGate {
  /** Runs when it is its turn; answers undefined, at once, where too many wait already or the caller gave up. */
  readonly run: <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T | undefined>;
}

export const createTurnGate = (runningMax: number, waitingMax: number): TurnGate => {
  let running = 0;
  const waiting: (() => void)[] = [];
  const turn = async (): Promise<void> => {
    if (running < runningMax) {
      running += 1;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<undefined>();
    waiting.push(() => resolve(undefined));
    await promise;
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return {
    run: async (work, signal) => {
      if (running >= runningMax && waiting.length >= waitingMax) return undefined;
      await turn();
      try {
        return signal?.aborted === true ? undefined : await work();
      } finally {
        leave();
      }
    },
  };
};
