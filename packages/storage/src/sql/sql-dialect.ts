import type { AnyIndexSpec } from '../indexes.ts';
import type { IndexScheme } from './index-scheme.ts';
import type { Sql } from './sql-connection.ts';

/**
 * Why statements failed. `race`: a unique key was taken. `busy`: a lock, a deadlock, a time-out; the transaction is to be rolled back.
 * `lost`: there is no connection any more. `unknown`: the server says that it does not know whether the commit happened. `applied`: a
 * table, column or index is there already.
 */
export type SqlFault = 'race' | 'busy' | 'lost' | 'unknown' | 'applied' | 'other';

/** What the tables of one database have of its own. */
export interface SchemaDialect {
  readonly types: {
    /** An id of up to `idCharsMax` characters that equals itself alone, ordered by its characters' codes. */
    readonly id: string;
    /** Text of any length, kept as it is. */
    readonly text: string;
    /** JSON, which must come back as it was. */
    readonly json: string;
    /** 64 bits. */
    readonly integer: string;
    readonly bytes: string;
    /** A column that numbers its rows and is their primary key. */
    readonly serial: string;
  };
  /** What ends CREATE TABLE, by the table's SQL name: '', or text that begins with a space. */
  tableEnd(table: string): string;
  /** Whether CREATE TABLE shall have a CHECK for each amount, so that the database itself also holds amounts to their range. */
  readonly checksAmounts: boolean;
  readonly indexes: IndexScheme;
  quoted(name: string): string;
}

/** What a dialect says of a database with several primaries. */
export interface SqlCertification {
  /** Lists the tables of the database that have this column. */
  tablesWith(column: string): Sql;
  /**
   * Fails as `busy` where the transaction is no longer the one that `begin` or `beginSnapshot` began. A conflict ends a transaction at any
   * moment, and between two statements of one packet the database may say nothing of it and run the rest outside.
   */
  readonly checkTransaction: Sql;
  /** What follows COMMIT and ROLLBACK to undo what `begin` set. */
  readonly afterTransaction: readonly Sql[];
  /** Whether COMMIT failed by a conflict, so that nothing was written. After any other failure of COMMIT that is unknown. */
  isConflict(cause: unknown): boolean;
}

/** What statements over the tables of one database have of their own. */
export interface StatementDialect extends SchemaDialect {
  /**
   * A table in a statement, by its SQL name. CREATE TABLE and CREATE INDEX name it by `quoted` alone: a schema of its own belongs into
   * the session, as `search_path`.
   */
  table(name: string): string;
  /** The parameter at this place, counted from 0. */
  parameter(at: number): string;
  /** Whether a pair of columns can be compared with a pair of values, and an index serves it. */
  readonly comparesPairs: boolean;
  /** A condition that every row of the list meets anyway, where the database finds the rows faster by it; null in most. */
  alsoListed(spec: AnyIndexSpec): string | null;
  /** What ends a SELECT that locks rows for itself alone, or so that others may lock them in the same way: '', or text that begins with a space. */
  readonly forUpdate: string;
  readonly forShare: string;
  /** Of a database with several primaries, whose locks the other primaries do not see. */
  readonly certification?: SqlCertification | undefined;
}

/** What one database's SQL has of its own. */
export interface SqlDialect extends StatementDialect {
  /** Begins a transaction whose statements each see what was committed before them. */
  readonly begin: readonly Sql[];
  /** Begins a transaction that only reads and sees one snapshot. */
  readonly beginSnapshot: readonly Sql[];
  /** The server's clock in whole milliseconds, of the moment itself. */
  readonly clock: string;
  /** What follows a table's name so that its rows are found by this index: '', or text that begins with a space. Rows that the server reads may be locked too. */
  byIndex(name: string): string;
  /** What ends a SELECT that locks for itself alone the rows that no other transaction has locked: '', or text that begins with a space. */
  readonly forUpdateSkipLocked: string;
  /**
   * Keeps other processes from migrating until `unlockMigrations`. The last statement returns one row with one cell: 1, or anything else
   * where it waited in vain. A database that one process opens at a time needs `SELECT 1` alone.
   */
  readonly lockMigrations: readonly Sql[];
  readonly unlockMigrations: readonly Sql[];
  faultOf(cause: unknown): SqlFault;
}
