export interface FairQueueLimits {
  /** Entries that wait, of all owners together. */
  readonly waitingMax: number;
  /** Entries of one owner that wait. */
  readonly waitingPerOwnerMax: number;
}

/** Entries that wait for their turn, by owner. */
export interface FairQueue<T> {
  /** Entries that wait. */
  readonly size: () => number;
  /** Entries of one owner that wait. */
  readonly sizeOf: (owner: string) => number;
  /** False where there is no room; the entry then does not wait. */
  readonly add: (owner: string, entry: T) => boolean;
  /** The next entry: owners take turns, and the entries of one owner keep their order. */
  readonly take: () => T | undefined;
  /** Every entry that waits; none waits afterwards. */
  readonly clear: () => readonly T[];
}

/** A queue in which many entries of one owner delay those of another one by one turn only. */
export const createFairQueue = <T>({ waitingMax, waitingPerOwnerMax }: FairQueueLimits): FairQueue<T> => {
  // In the order of their turns: an owner that was served goes to the end.
  const byOwner = new Map<string, T[]>();
  let size = 0;
  return {
    size: () => size,
    sizeOf: (owner) => byOwner.get(owner)?.length ?? 0,
    add: (owner, entry) => {
      const own = byOwner.get(owner) ?? [];
      if (size >= waitingMax || own.length >= waitingPerOwnerMax) return false;
      own.push(entry);
      byOwner.set(owner, own);
      size += 1;
      return true;
    },
    take: () => {
      for (const [owner, own] of byOwner) {
        const entry = own.shift();
        byOwner.delete(owner);
        if (own.length > 0) byOwner.set(owner, own);
        size -= 1;
        return entry;
      }
      return undefined;
    },
    clear: () => {
      const all = [...byOwner.values()].flat();
      byOwner.clear();
      size = 0;
      return all;
    },
  };
};
