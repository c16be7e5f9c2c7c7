import type { z } from 'zod';

/**
 * A union that may be absent. `exactOptional` tries its members on an absent field too, and each writes out why it fails;
 * this passes over it. The two differ for `undefined` alone, which no parsed JSON body holds.
 */
export const optionalUnion = <T extends z.ZodType>(union: T): z.ZodExactOptional<T> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  union.optional() as unknown as z.ZodExactOptional<T>;
