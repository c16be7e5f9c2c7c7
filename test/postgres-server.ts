// A PostgreSQL server for tests and measurements, on a machine that has none.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';

/** Where a keeper of this run listens, for test files in other threads. */
const keeperVariable = 'TOLLGATE_TEST_POSTGRES';

export interface PostgresServer {
  /** Of a user that may create databases. */
  readonly url: string;
  /** The server's process when asked, or 0 where it was given by TEST_DATABASE_URL. One that is killed is started again. */
  readonly pid: number;
  /** Its folder, with the data in `data`; '' where it was given. */
  readonly folder: string;
}

export interface Keeper {
  readonly port: number;
  /** The server, started by the first call. */
  server(): Promise<PostgresServer>;
  /** Ends the server and deletes its data. */
  stop(): Promise<void>;
}

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

const askKeeper = async (port: number): Promise<PostgresServer> => {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  const answer = JSON.parse(text) as PostgresServer | { readonly error: string };
  if ('error' in answer) throw new Error(answer.error);
  return answer;
};

/**
 * Starts the process that keeps a server. It ends with this process, whichever way that ends. Call it from a main thread.
 * Each of `settings` is `name=value`, for the server.
 */
export const startKeeper = async (settings: readonly string[] = []): Promise<Keeper> => {
  const script = fileURLToPath(new URL('postgres-keeper.ts', import.meta.url));
  const child = spawn(process.execPath, [script, JSON.stringify(settings)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // In a group of its own, so that an interrupt at the terminal reaches it through its parent only.
    detached: true,
  });
  const exited = once(child, 'exit');
  const [line] = await Promise.race([once(child.stdout, 'data'), exited.then(() => ['no keeper'])]);
  const port = Number(String(line));
  if (!Number.isInteger(port)) throw new Error('the keeper of PostgreSQL did not start');
  child.unref();
  return {
    port,
    server: () => askKeeper(port),
    stop: async () => {
      child.ref();
      child.stdin.end();
      await exited;
    },
  };
};

/**
 * For suites that prove what is stored and not that it is durable: nothing waits for the disk. A server that is killed keeps
 * its commits also so, for its machine goes on.
 */
const suiteSettings = [
  'fsync=off',
  'full_page_writes=off',
  'tollgate.allow_unsafe_server=on',
  'autovacuum=off',
  'max_wal_size=8GB',
];

/** For the set-up of a test run: a keeper that all test files find. Returns what ends it. */
export const keepForRun = async (): Promise<() => Promise<void>> => {
  if (process.env['TEST_DATABASE_URL'] !== undefined || process.env[keeperVariable] !== undefined)
    return async () => {};
  const keeper = await startKeeper(suiteSettings);
  process.env[keeperVariable] = String(keeper.port);
  return () => keeper.stop();
};

/** The server of this test run: TEST_DATABASE_URL, or one started from a package by the first test that asks. */
export const postgresServer = async (): Promise<PostgresServer> => {
  const given = process.env['TEST_DATABASE_URL'];
  if (given !== undefined) return { url: given, pid: 0, folder: '' };
  const port = process.env[keeperVariable];
  if (port === undefined) throw new Error('no PostgreSQL is kept: this test needs the set-up of vitest.config.ts');
  return askKeeper(Number(port));
};

/** Runs one statement as the server's owner. */
export const runSql = async (url: string, sql: string): Promise<readonly Record<string, unknown>[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows;
  } finally {
    await client.end();
  }
};

/** An empty database on the server; `drop` it when done. */
export const createTestDatabase = async (server: Pick<PostgresServer, 'url'>): Promise<TestDatabase> => {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  await runSql(server.url, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => {
      await runSql(server.url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
};

/** An empty database on the server of this test run. */
export const testDatabase = async (): Promise<TestDatabase> => createTestDatabase(await postgresServer());
