/** A hint that work is due. Whoever listens polls too, so that a lost hint costs time and nothing else. */
export interface Wake {
  wake(): void;
  /** Answers what takes the listener away. */
  listen(listener: () => void): () => void;
}

export const createWake = (): Wake => {
  const listeners = new Set<() => void>();
  return {
    wake: () => {
      for (const listener of listeners) listener();
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};
