import { isPassing, UnsafeServerError } from './judge-server.ts';
import { connectionLost, createLine, type Line } from './line.ts';
import { createPooledLine } from './pooled-line.ts';
import type { Pooler } from './postgres-options.ts';
import type { OpenedServer, ServerDial } from './server-dial.ts';
import type { Statement } from './statement.ts';

export interface SessionLimits {
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  /** How long the answer to one round trip may take before the server is taken for gone. */
  readonly answerTimeoutMs: number;
  /** Whether the server is to refuse what would write. */
  readonly isReadOnly: boolean;
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
  default_transaction_read_only: limits.isReadOnly ? 'on' : 'off',
  // Of the warnings, the line heeds the one of a cancelled wait for a standby.
  client_min_messages: 'warning',
});

const settingsStatement = (settings: Readonly<Record<string, string>>, isLocal: boolean): Statement => {
  const entries = Object.entries(settings);
  const calls = entries.map((_, at) => `set_config($${2 * at + 1}, $${2 * at + 2}, ${isLocal})`);
  return { name: '', text: `SELECT ${calls.join(', ')}`, values: entries.flat() };
};

/** The line with its settings: of the session, or of each transaction where a pooler has no sessions. */
const setUp = async (line: Line, synchronousCommit: string, { limits, pooler }: SessionOptions): Promise<Line> => {
  const statement = settingsStatement(settingsOf(synchronousCommit, limits), pooler === 'transaction');
  if (pooler === 'transaction') return createPooledLine(line, statement);
  await line.run([statement]);
  return line;
};

export interface SessionOptions {
  readonly dial: ServerDial;
  readonly limits: SessionLimits;
  readonly pooler: Pooler | null;
}

interface Dialled {
  readonly line: Line;
  readonly server: OpenedServer;
}

export const createSession = (options: SessionOptions): Session => {
  const { dial, limits } = options;
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
      const ready = await setUp(line, server.facts.synchronousCommit, options);
      hasBeenOpen = true;
      return { line: ready, server };
    } catch (cause) {
      line.discard();
      throw cause;
    } finally {
      if (closed) line.discard();
    }
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
