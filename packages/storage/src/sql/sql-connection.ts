/** A parameter of a statement. */
export type SqlValue = string | number | bigint | Uint8Array | null;

/** A value of a row: a whole number comes as text, or as a number that is exact; bytes come as bytes. */
export type SqlCell = string | number | Uint8Array | null;

export type SqlRow = readonly SqlCell[];

export interface Sql {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/**
 * What a driver must be able to do: one connection to one database. The kit uses a connection for one thing at a time, opens one when it
 * needs it, and keeps `batchConnections` and two more. A transaction spans several calls of `run`: it begins with what the dialect's
 * `begin` says, and ends with a statement that is exactly `COMMIT` or `ROLLBACK`, which the kit also sends after an error. A database with
 * one session must therefore keep others out from the first to the last of these calls, and its wait for them must end, with an error that
 * `faultOf` calls `busy`.
 */
export interface SqlConnection {
  /**
   * Sends the statements in as few round trips as it can and returns the rows of each. The first one that fails rejects it, and
   * none after it may run.
   */
  run(statements: readonly Sql[]): Promise<readonly (readonly SqlRow[])[]>;
  isOpen(): boolean;
  /** Closes the connection at once, whatever is under way. */
  close(): void;
}

export const plainSql = (text: string): Sql => ({ text, values: [] });
