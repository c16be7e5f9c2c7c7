/** Work of this process that no request waits for; what is cut off is resumed by another process. */
export interface BackgroundTasks {
  /** Runs it; its signal aborts when the process stops. It must not throw. */
  run(task: (signal: AbortSignal) => Promise<void>): Promise<void>;
  /** How many there are. */
  count(): number;
  /** Aborts everything and resolves when it has stopped. */
  stop(): Promise<void>;
}

export const createBackgroundTasks = (): BackgroundTasks => {
  const running = new Map<Promise<void>, AbortController>();
  return {
    run: (task) => {
      const controller = new AbortController();
      const end = task(controller.signal).finally(() => running.delete(end));
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
