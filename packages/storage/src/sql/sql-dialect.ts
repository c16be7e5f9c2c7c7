import type { Sql } from './sql-connection.ts';

/**
 * Why statements failed. `race`: a unique key was taken. `busy`: a lock, a deadlock, a time-out; the transaction is to be rolled back.
 * `lost`: there is no connection any more. `unknown`: the server says that it does not know whether the commit happened. `applied`: a
 * table, column or index is there already.
 */
export type SqlFault = 'race' | 'busy' | 'lost' | 'unknown' | 'applied' | 'other';

/** What one database's SQL has of its own. */
export interface SqlDialect {
  readonly types: {
    /** An id of up to `idCharsMax` characters that equals itself alone, ordered by its characters' codes. */
    readonly id: string;
    /** Text of any length, kept as it is. Also for JSON, which must come back as it was. */
    readonly text: string;
    /** 64 bits. */
    readonly integer: string;
    readonly bytes: string;
    /** A column that numbers its rows and is their primary key. */
    readonly serial: string;
  };
  /** What ends CREATE TABLE. */
  readonly tableEnd: string;
  quoted(name: string): string;
  /** The parameter at this place, counted from 0. */
  parameter(at: number): string;
  /** Begins a transaction whose statements each see what was committed before them. */
  readonly begin: readonly Sql[];
  /** Begins a transaction that only reads and sees one snapshot. */
  readonly beginSnapshot: readonly Sql[];
  /** The server's clock in whole milliseconds, of the moment itself. */
  readonly clock: string;
  /** What ends a SELECT that locks rows for itself alone, or so that others may lock them in the same way. */
  readonly forUpdate: string;
  readonly forShare: string;
  /** What follows a table's name so that its rows are found by this index, or ''. Rows that the server reads may be locked too. */
  byIndex(name: string): string;
  /** Locks for itself alone the rows that no other transaction has locked. */
  readonly forUpdateSkipLocked: string;
  /** Keeps other processes from migrating until `unlockMigrations`, and returns 1; anything else where it waited in vain. */
  readonly lockMigrations: Sql;
  readonly unlockMigrations: Sql;
  faultOf(cause: unknown): SqlFault;
}
