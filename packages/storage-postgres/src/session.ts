import { connectionLost, createLine, type Line, type OpenedClient } from './line.ts';
import { plainStatement, type StatementResult } from './statement.ts';

/** The code of an error that says that this database must not be used as it is set up. */
const unsafeDatabaseCode = 'unsafe_database';

const unsafe = (message: string): Error => Object.assign(new Error(message), { code: unsafeDatabaseCode });

export interface SessionLimits {
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
}

/** A connection that is made when it is needed, and again when it was lost. */
export interface Session {
  /** The live connection. Rejects where none can be made. */
  line(): Promise<Line>;
  close(): void;
}

const inspection = plainStatement(`
  SELECT current_setting('synchronous_commit'), current_setting('server_encoding'), pg_is_in_recovery()`);

/** Refuses what would lose acknowledged steps or alter text. */
const inspect = ([result]: readonly StatementResult[]): string => {
  const [synchronousCommit, encoding, recovering] = result?.rows[0] ?? [];
  if (synchronousCommit === undefined || synchronousCommit === null || synchronousCommit === 'off')
    throw unsafe('synchronous_commit is off for this role or database: commits that were acknowledged could be lost');
  if (encoding !== 'UTF8') throw unsafe(`the database's encoding is ${String(encoding)}, not UTF8`);
  // During a fail-over the address may still lead to what is not the primary yet: as good as no connection.
  if (recovering === 't') throw connectionLost(new Error('the server is a standby'));
  return synchronousCommit;
};

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

const setUp = async (line: Line, limits: SessionLimits): Promise<void> => {
  const synchronousCommit = inspect(await line.run([inspection]));
  const settings = Object.entries(settingsOf(synchronousCommit, limits));
  const calls = settings.map((_, at) => `set_config($${2 * at + 1}, $${2 * at + 2}, false)`);
  await line.run([{ name: '', text: `SELECT ${calls.join(', ')}`, values: settings.flat() }]);
};

export interface SessionOptions {
  readonly open: () => Promise<OpenedClient>;
  readonly limits: SessionLimits;
}

/** A batch holds a dozen statements, of which at most a few wait; the rest of the time is the network's. */
const answerMsOf = ({ statementTimeoutMs }: SessionLimits): number => 3 * statementTimeoutMs;

export const createSession = ({ open, limits }: SessionOptions): Session => {
  let current: Promise<Line> | undefined;
  let closed = false;
  const dial = async (): Promise<Line> => {
    const opened = await open().catch((cause: unknown) => {
      throw connectionLost(cause);
    });
    const line = createLine(opened, answerMsOf(limits));
    try {
      await setUp(line, limits);
    } catch (cause) {
      line.discard();
      throw cause;
    }
    if (closed) line.discard();
    return line;
  };
  return {
    line: async () => {
      if (closed) throw new Error('the storage is closed');
      current ??= dial();
      const dialled = current;
      try {
        const line = await dialled;
        if (line.isOpen()) return line;
      } catch (cause) {
        if (current === dialled) current = undefined;
        throw cause;
      }
      if (current === dialled) current = dial();
      return current;
    },
    close: () => {
      closed = true;
      void current?.then(
        (line) => line.discard(),
        () => undefined,
      );
    },
  };
};
