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

/** What a connection offers beside what its type says. */
interface CopyingConnection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

export interface PipelineOptions {
  /** Taken one by one while the earlier ones are under way already; what this throws is what the pipeline rejects with. */
  readonly statements: Iterable<Statement>;
  /** The names of the statements that this connection is known to have parsed. */
  readonly parsed: Set<string>;
  readonly resolve: (results: readonly StatementResult[]) => void;
  readonly reject: (cause: unknown) => void;
  /** Called in place of `reject` where the client, and not the server, refused: it has no connection any more. */
  readonly disconnected: (cause: Error) => void;
}

/** An error that the server sent, of whichever copy of node-postgres the host's pool is. */
const isFromServer = (cause: Error): boolean => 'severity' in cause;

/** Statements that a connection keeps parsed; beyond, they are parsed each time. */
const statementsParsedMax = 256;

/** From this size on what is ready is sent, so that the server is at work while the rest is made. */
const sentAtOnceMinCharacters = 4_096;

/** The name under which a connection runs a statement; '' where it is parsed each time. */
const nameOn = (parsed: ReadonlySet<string>, { name }: Statement): string =>
  parsed.has(name) || parsed.size < statementsParsedMax ? name : '';

/** The server reads what is copied as soon as it runs the statement, so there is no need to wait until it asks. */
const sendCopied = (connection: Connection, copied: string): void => {
  // The types do not know these two methods, which node-postgres keeps for its own streams.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const copying = connection as unknown as CopyingConnection;
  copying.sendCopyFromChunk(Buffer.from(copied));
  copying.endCopyFrom();
};

const send = (connection: Connection, statement: Statement, name: string, isParsed: boolean): void => {
  const { text, values, copied } = statement;
  if (!isParsed) {
    // An earlier pipeline may have failed after this statement was parsed; closing what is not there is no error.
    if (name !== '') connection.close({ type: 'S', name }, false);
    connection.parse({ name, text, types: [] }, false);
  }
  if (values.some((value) => Buffer.isBuffer(value)))
    for (const piece of bindMessage(name, values)) connection.stream.write(piece);
  else connection.bind({ statement: name, values: [...values] }, false);
  connection.execute({}, false);
  if (copied !== undefined) sendCopied(connection, copied);
};

const sizeOf = ({ values, copied }: Statement): number =>
  values.reduce((sum, value) => sum + (value?.length ?? 0), copied?.length ?? 0);

/**
 * Sends many statements in one round trip: each is executed by itself, on a snapshot of its own, in order; after one that
 * fails the server skips the rest. (The client's own pipelining must be chosen when a client is made, which a host's pool
 * need not have done, and would go on after a failure.)
 */
export const createPipeline = ({ statements, parsed, resolve, reject, disconnected }: PipelineOptions): Pipeline => {
  const results: StatementResult[] = [];
  const sentAs: string[] = [];
  let rows: Row[] = [];
  let failure: { readonly cause: unknown } | undefined;
  const sendAll = (connection: Connection): void => {
    let waiting = 0;
    for (const statement of statements) {
      const name = nameOn(parsed, statement);
      sentAs.push(name);
      send(connection, statement, name, name !== '' && parsed.has(name));
      waiting += sizeOf(statement);
      if (waiting < sentAtOnceMinCharacters) continue;
      waiting = 0;
      connection.stream.uncork();
      connection.stream.cork();
    }
  };
  return {
    submit: (connection) => {
      const { stream } = connection;
      stream.cork();
      try {
        sendAll(connection);
      } catch (cause) {
        failure = { cause };
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
    handleError: (cause) => (isFromServer(cause) ? reject(cause) : disconnected(cause)),
    handleReadyForQuery: () => (failure === undefined ? resolve(results) : reject(failure.cause)),
  };
};
