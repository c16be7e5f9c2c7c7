/** Which records a step changed of an account while it is copied to another storage, written by that step: they are copied again. */
export interface MoveLogRecord {
  readonly id: string;
  readonly accountId: string;
  /** A list of `{ table, id }`. */
  readonly keys: unknown;
  readonly createdAtMs: number;
}
