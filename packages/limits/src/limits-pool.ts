import type { Pool, PoolClient, QueryResultRow } from 'pg';

/** Where statements run: the connections of the host, or some of our own. */
export interface LimitsPool {
  readonly query: <Row extends QueryResultRow>(text: string, values: readonly unknown[]) => Promise<readonly Row[]>;
  /** Runs them in one transaction. */
  readonly transact: (statements: readonly string[]) => Promise<void>;
  /** Closes connections of our own. */
  readonly close: () => Promise<void>;
}

const transactOn = async (client: PoolClient, statements: readonly string[]): Promise<void> => {
  await client.query('begin');
  try {
    for (const statement of statements) await client.query(statement);
    await client.query('commit');
  } catch (cause) {
    await client.query('rollback');
    throw cause;
  }
};

const poolOver = (pool: Pool, close: () => Promise<void>): LimitsPool => ({
  query: async <Row extends QueryResultRow>(text: string, values: readonly unknown[]) => {
    const { rows } = await pool.query<Row>({ text, values: [...values] });
    return rows;
  },
  transact: async (statements) => {
    const client = await pool.connect();
    try {
      await transactOn(client, statements);
    } finally {
      client.release();
    }
  },
  close,
});

/** How connections of our own are made. */
export interface OwnConnections {
  readonly connectionString: string;
  readonly connectionsMax: number;
  /** How long a statement or a connection may take. */
  readonly timeoutMs: number;
}

/** The driver is loaded only where the limits are on PostgreSQL. */
export const openPool = async ({
  connectionString,
  connectionsMax,
  timeoutMs,
}: OwnConnections): Promise<LimitsPool> => {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString,
    max: connectionsMax,
    connectionTimeoutMillis: timeoutMs,
    statement_timeout: timeoutMs,
    query_timeout: timeoutMs,
    keepAlive: true,
    fallback_application_name: 'tollgate-limits',
  });
  // An idle connection that breaks is replaced by the next call.
  pool.on('error', () => undefined);
  return poolOver(pool, () => pool.end());
};

export const givenPool = (pool: Pool): LimitsPool => poolOver(pool, () => Promise.resolve());
