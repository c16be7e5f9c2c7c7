/** Work that nobody waits for and that somebody else carries on when it is cut off. */
export interface Errands {
  /** Runs it; its signal aborts when the process lets go. It must not throw. */
  run(errand: (signal: AbortSignal) => Promise<void>): Promise<void>;
  /** How many there are. */
  count(): number;
  /** Aborts everything and resolves when it has stopped. */
  stop(): Promise<void>;
}

export const createErrands = (): Errands => {
  const running = new Map<Promise<void>, AbortController>();
  return {
    run: (errand) => {
      const controller = new AbortController();
      const end = errand(controller.signal).finally(() => running.delete(end));
      running.set(end, controller);
      return end;
    },
    count: () => running.size,
    stop: async () => {
      for (const controller of running.values()) controller.abort();
      await Promise.all(running.keys());
    },
  };
};
