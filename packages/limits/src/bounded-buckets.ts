/** What this process knows of one limit of one caller. */
export interface BucketState {
  /** When all that was taken has come back. */
  backUs: number;
  /** Requests and sessions that run. */
  running: number;
}

/** The buckets of one process, so many at the most. */
export interface BoundedBuckets {
  readonly find: (id: string) => BucketState;
  readonly count: () => number;
}

/**
 * The bucket that was asked for longest ago makes room. What it had counted is forgiven; one with a request that runs stays, and
 * there are never more of those than requests.
 */
export const createBoundedBuckets = (bucketsMax: number): BoundedBuckets => {
  const buckets = new Map<string, BucketState>();
  const makeRoom = (): void => {
    for (const [id, { running }] of buckets)
      if (running === 0) {
        buckets.delete(id);
        return;
      }
  };
  return {
    find: (id) => {
      const known = buckets.get(id);
      // Put back at the end, so that the first one is that which was asked for longest ago.
      if (known !== undefined) buckets.delete(id);
      else if (buckets.size >= bucketsMax) makeRoom();
      const state = known ?? { backUs: 0, running: 0 };
      buckets.set(id, state);
      return state;
    },
    count: () => buckets.size,
  };
};
