import { AssertionError } from 'node:assert/strict';

/** Fails where the promise takes longer. */
export const within = <T>(promise: Promise<T>, ms: number): Promise<T> => {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new AssertionError({ message: `still waiting after ${ms} ms` })), ms);
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};
