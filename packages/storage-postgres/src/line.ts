import type { Client } from 'pg';
import { storageBusyCode } from '@tollgate/storage';
import { createPipeline } from './pipeline.ts';
import type { Statement, StatementResult } from './statement.ts';

/** The code of an error that says that the connection is gone: what was under way may or may not have happened. */
export const connectionLostCode = 'connection_lost';

export const connectionLost = (cause: unknown): Error =>
  Object.assign(new Error('the connection to PostgreSQL was lost', { cause }), { code: connectionLostCode });

/** What is read of a warning that the server sends. */
interface Warning {
  readonly code?: string | undefined;
  readonly routine?: string | undefined;
}

/**
 * Whether a warning says that the wait for a synchronous standby was cancelled: the server then reports a commit that it has
 * alone, which a fail-over loses. The text depends on the server's language, so its code decides; the only other warnings of
 * this code that a statement of ours can meet are raised by a trigger of the host.
 */
export const isCancelledWait = ({ code, routine }: Warning): boolean =>
  code === '01000' && routine !== 'exec_stmt_raise';

/** The codes with which a server, or a pooler before it, ends a session. What was under way may or may not have happened. */
const endOfSession = /^(?:08|57P0|25P0[34])/;

const isEndOfSession = (cause: unknown): boolean =>
  typeof cause === 'object' && cause !== null && 'code' in cause && endOfSession.test(String(cause.code));

/** A connection that the host made. */
export interface OpenedClient {
  readonly client: Client;
  /** Gives the connection up: it is closed and never used again. */
  readonly discard: () => void;
}

/** Batches that may wait for a connection; one more is refused with `storage_busy`. */
const batchesWaitingMax = 4_096;

/** One live connection. Batches are run one after another. */
export interface Line {
  /**
   * Sends the statements in one round trip and answers one result each. Rejects with the server's error where one fails (the
   * rest is skipped), and with `connection_lost` where no answer came.
   */
  run(statements: Iterable<Statement>): Promise<readonly StatementResult[]>;
  isOpen(): boolean;
  /** Closes the connection, at once. */
  discard(): void;
}

/** `answerMs`: how long to wait for an answer before the server is taken for gone. */
export const createLine = ({ client, discard }: OpenedClient, answerMs: number): Line => {
  const parsed = new Set<string>();
  let lost: Error | undefined;
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  const lose = (cause: unknown): void => {
    if (lost !== undefined) return;
    lost = connectionLost(cause);
    // Ends what waits for an answer that will not come.
    client.connection.stream.destroy();
    discard();
  };
  const isOpen = (): boolean => lost === undefined;
  const runOnClient = (statements: Iterable<Statement>) =>
    new Promise<readonly StatementResult[]>((resolve, reject) => {
      const disconnected = (cause: Error): void => {
        // The client may have lost its connection before this line listened to it.
        lose(cause);
        reject(cause);
      };
      client.query(createPipeline({ statements, parsed, resolve, reject, disconnected }));
    });
  client.on('error', lose);
  // The answer may be on its way already: it is not believed, and what was under way may or may not survive.
  client.on('notice', (warning) => {
    if (isCancelledWait(warning)) lose(new Error('the wait for the synchronous standby was cancelled'));
  });
  client.on('end', () => lose(new Error('the server closed the connection')));
  const runNow = async (statements: Iterable<Statement>): Promise<readonly StatementResult[]> => {
    if (lost !== undefined) throw lost;
    const timer = setTimeout(() => lose(new Error(`no answer within ${answerMs} ms`)), answerMs);
    try {
      const results = await runOnClient(statements);
      // Read again: a warning that came with the answer may have closed the line.
      if (!isOpen()) throw lost ?? connectionLost(undefined);
      return results;
    } catch (cause) {
      if (isEndOfSession(cause)) lose(cause);
      // An error that came with the end of the connection: `lose` has seen it, or is about to.
      if (lost !== undefined || client.connection.stream.destroyed) throw lost ?? connectionLost(cause);
      throw cause;
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    run: async (statements) => {
      if (waiting >= batchesWaitingMax)
        throw Object.assign(new Error('too many statements are waiting'), { code: storageBusyCode });
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      waiting += 1;
      try {
        await before;
        return await runNow(statements);
      } finally {
        waiting -= 1;
        resolve();
      }
    },
    isOpen,
    discard: () => lose(new Error('the storage is closed')),
  };
};
