/** Entries that one map of an observer keeps at the most: what is never ended must not fill the memory. */
const entriesMax = 65_536;

/** A map that forgets its oldest entry when it is full. */
export const createBoundedMap = <T>(max: number = entriesMax) => {
  const entries = new Map<string, T>();
  return {
    get: (key: string): T | undefined => entries.get(key),
    set: (key: string, value: T): void => {
      const [oldest] = entries.size >= max ? entries.keys() : [];
      if (oldest !== undefined) entries.delete(oldest);
      entries.set(key, value);
    },
    take: (key: string): T | undefined => {
      const value = entries.get(key);
      entries.delete(key);
      return value;
    },
    size: (): number => entries.size,
  };
};

export type BoundedMap<T> = ReturnType<typeof createBoundedMap<T>>;
