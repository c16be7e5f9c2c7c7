import type { Connection, Submittable } from 'pg';
import { bindMessage } from './bind-message.ts';
import type { Row } from './row-codec.ts';
import type { Statement, StatementResult } from './statement.ts';

/** The events of one query, as node-postgres hands them to whatever it submitted. */
interface Pipeline extends Submittable {
  handleRowDescription(): void;
  handleDataRow(message: { readonly fields: Row }): void;
  handleCommandComplete(message: { readonly text: string }): void;
  handleEmptyQuery(): void;
  handlePortalSuspended(): void;
  handleCopyInResponse(): void;
  handleCopyData(): void;
  handleError(cause: Error): void;
  handleReadyForQuery(): void;
}

export interface PipelineOptions {
  readonly statements: readonly Statement[];
  /** The names of the statements that this connection is known to have parsed. */
  readonly parsed: Set<string>;
  readonly resolve: (results: readonly StatementResult[]) => void;
  readonly reject: (cause: Error) => void;
}

/** Statements that a connection keeps parsed; beyond, they are parsed each time. */
const statementsParsedMax = 256;

/** The name under which a connection runs a statement; '' where it is parsed each time. */
const nameOn = (parsed: ReadonlySet<string>, { name }: Statement): string =>
  parsed.has(name) || parsed.size < statementsParsedMax ? name : '';

const send = (connection: Connection, { text, values }: Statement, name: string, isParsed: boolean): void => {
  if (!isParsed) {
    // An earlier pipeline may have failed after this statement was parsed; closing what is not there is no error.
    if (name !== '') connection.close({ type: 'S', name }, false);
    connection.parse({ name, text, types: [] }, false);
  }
  if (values.some((value) => Buffer.isBuffer(value)))
    for (const piece of bindMessage(name, values)) connection.stream.write(piece);
  else connection.bind({ statement: name, values: [...values] }, false);
  connection.execute({}, false);
};

/**
 * Sends many statements in one round trip: each is executed by itself, on a snapshot of its own, in order; after one that
 * fails the server skips the rest. (The client's own pipelining must be chosen when a client is made, which a host's pool
 * need not have done, and would go on after a failure.)
 */
export const createPipeline = ({ statements, parsed, resolve, reject }: PipelineOptions): Pipeline => {
  const results: StatementResult[] = [];
  const sentAs = statements.map((statement) => nameOn(parsed, statement));
  let rows: Row[] = [];
  return {
    submit: (connection) => {
      const { stream } = connection;
      stream.cork();
      try {
        for (const [at, statement] of statements.entries()) {
          const name = sentAs[at] ?? '';
          send(connection, statement, name, name !== '' && parsed.has(name));
        }
      } finally {
        connection.sync();
        stream.uncork();
      }
    },
    handleRowDescription: () => undefined,
    handleDataRow: ({ fields }) => void rows.push(fields),
    handleCommandComplete: ({ text }) => {
      const name = sentAs[results.length] ?? '';
      if (name !== '') parsed.add(name);
      results.push({ rows, tag: text });
      rows = [];
    },
    handleEmptyQuery: () => undefined,
    handlePortalSuspended: () => undefined,
    handleCopyInResponse: () => undefined,
    handleCopyData: () => undefined,
    handleError: reject,
    handleReadyForQuery: () => resolve(results),
  };
};
