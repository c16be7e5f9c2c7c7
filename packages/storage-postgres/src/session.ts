import { isPassing, UnsafeServerError } from './judge-server.ts';
import { connectionLost, createLine, type Line } from './line.ts';
import type { OpenedServer, ServerDial } from './server-dial.ts';

export interface SessionLimits {
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  /** How long the answer to one round trip may take before the server is taken for gone. */
  readonly answerTimeoutMs: number;
}

/** A connection that is made when it is needed, and again when it was lost. */
export interface Session {
  /** The live connection. Rejects where none can be made. */
  line(): Promise<Line>;
  close(): void;
}

/**
 * What a session sets for itself. The commit's level is pinned at what was inspected. The planner's settings keep every plan
 * on the primary key, or in the order of an index: one made and cached while a table was tiny would scan or sort it for ever. A session that stops in the
 * middle of a transaction (a frozen process) must not hold its locks: the server ends it.
 */
const settingsOf = (synchronousCommit: string, limits: SessionLimits): Readonly<Record<string, string>> => ({
  synchronous_commit: synchronousCommit,
  statement_timeout: String(limits.statementTimeoutMs),
  lock_timeout: String(limits.lockTimeoutMs),
  idle_in_transaction_session_timeout: String(limits.statementTimeoutMs),
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  jit: 'off',
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  // Of the warnings, the line heeds the one of a cancelled wait for a standby.
  client_min_messages: 'warning',
});

const setUp = async (line: Line, synchronousCommit: string, limits: SessionLimits): Promise<void> => {
  const settings = Object.entries(settingsOf(synchronousCommit, limits));
  const calls = settings.map((_, at) => `set_config($${2 * at + 1}, $${2 * at + 2}, false)`);
  await line.run([{ name: '', text: `SELECT ${calls.join(', ')}`, values: settings.flat() }]);
};

export interface SessionOptions {
  readonly dial: ServerDial;
  readonly limits: SessionLimits;
}

interface Dialled {
  readonly line: Line;
  readonly server: OpenedServer;
}

export const createSession = ({ dial, limits }: SessionOptions): Session => {
  let current: Promise<Dialled> | undefined;
  let closed = false;
  let hasBeenOpen = false;
  const openServer = (): Promise<OpenedServer> =>
    dial.open().catch((cause: unknown) => {
      // The opening tells what is wrong with a server. Later, what passes with a fail-over is as good as no connection.
      if (cause instanceof UnsafeServerError && !(hasBeenOpen && isPassing(cause))) throw cause;
      throw connectionLost(cause);
    });
  const connect = async (): Promise<Dialled> => {
    const server = await openServer();
    const line = createLine(server, limits.answerTimeoutMs);
    try {
      await setUp(line, server.facts.synchronousCommit, limits);
    } catch (cause) {
      line.discard();
      throw cause;
    }
    if (closed) line.discard();
    hasBeenOpen = true;
    return { line, server };
  };
  /** Whether a connection can be used; one to a server that a fail-over left behind is closed. */
  const isOfUse = ({ line, server }: Dialled): boolean => {
    if (dial.isLeftBehind(server.facts)) line.discard();
    return line.isOpen();
  };
  return {
    line: async () => {
      if (closed) throw new Error('the storage is closed');
      current ??= connect();
      const dialled = current;
      try {
        const found = await dialled;
        if (isOfUse(found)) return found.line;
      } catch (cause) {
        if (current === dialled) current = undefined;
        throw cause;
      }
      if (current === dialled) current = connect();
      return (await current).line;
    },
    close: () => {
      closed = true;
      void current?.then(
        ({ line }) => line.discard(),
        () => undefined,
      );
    },
  };
};
