import type { Decide, Key } from '@tollgate/storage';

/** A decision and the records that it may see: what a storage carries out at once, or not at all. */
export interface Step<T> {
  readonly keys: readonly Key[];
  readonly decide: Decide<T>;
}
