/** The failure of a case, with the number of the promise that was broken. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
  readonly promise: string;

  constructor(promise: string, text: string, cause: unknown) {
    super(`${promise} is broken (${text}) ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.promise = promise;
  }
}

/** Fails where the work takes longer than its limit, so that what never settles fails a test instead of holding it up. */
export const settledWithin = async <T>(limitMs: number, work: Promise<T>): Promise<T> => {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`still waiting after ${limitMs} ms`)), limitMs);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};
