import type { Row } from './row-codec.ts';

/** A statement and its parameters. Those with a name are parsed by the server once a connection. */
export interface Statement {
  /** Unique to the text; '' where it is run once. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly (string | Buffer | null)[];
  /** What a COPY FROM STDIN reads: a line for each row, in PostgreSQL's text form. */
  readonly copied?: string;
}

/** What came of a statement. */
export interface StatementResult {
  readonly rows: readonly Row[];
  /** The command's tag, such as `COMMIT` or `UPDATE 3`. */
  readonly tag: string;
}

export const plainStatement = (text: string): Statement => ({ name: '', text, values: [] });
