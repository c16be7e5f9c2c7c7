/** What tells two chunks of the same score apart. */
interface Scored {
  readonly score: number;
  readonly documentId: string;
  readonly place: number;
}

const comesBefore = (a: Scored, b: Scored): boolean => {
  if (a.score !== b.score) return a.score > b.score;
  return a.documentId === b.documentId ? a.place < b.place : a.documentId < b.documentId;
};

/** The nearest of however many are offered; keeps no more than `limit` of them. */
export interface NearestChunks<T extends Scored> {
  offer(chunk: T): void;
  /** The nearest first. */
  list(): readonly T[];
}

const placeOf = <T extends Scored>(kept: readonly T[], chunk: T): number => {
  let from = 0;
  let to = kept.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    const other = kept[middle];
    if (other !== undefined && comesBefore(other, chunk)) from = middle + 1;
    else to = middle;
  }
  return from;
};

/** Collects the nearest chunks of an exact scan. */
export const createNearestChunks = <T extends Scored>(limit: number): NearestChunks<T> => {
  const kept: T[] = [];
  return {
    offer: (chunk) => {
      const last = kept[limit - 1];
      if (last !== undefined && !comesBefore(chunk, last)) return;
      kept.splice(placeOf(kept, chunk), 0, chunk);
      if (kept.length > limit) kept.pop();
    },
    list: () => kept,
  };
};

/** The inner product; of two vectors one long it is the cosine of their angle. */
export const innerProduct = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  // An indexed loop over numbers alone is several times as quick as an iterator, and this is the whole cost of a scan.
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
};
