import { Client, type Pool } from 'pg';
import type { OpenedClient } from './line.ts';

/** Where connections come from: made for this storage alone, or taken for good from a pool that the host has. */
export type PostgresSource =
  | {
      /**
       * `postgres://user:password@host:5432/database`. Several hosts, `…@a:5432,b:5432/database`, are a primary and its standbys:
       * a connection is made to the one that is the primary.
       */
      readonly connectionString: string;
      readonly pool?: never;
    }
  | { readonly pool: Pool; readonly connectionString?: never };

const ownClient = async (connectionString: string, connectTimeoutMs: number): Promise<OpenedClient> => {
  const client = new Client({
    connectionString,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    fallback_application_name: 'tollgate',
  });
  // Until a line listens, an error must not end the process; the waiting caller gets it.
  client.on('error', () => undefined);
  await client.connect();
  return { client, discard: () => void client.end().catch(() => undefined) };
};

const pooledClient = async (pool: Pool): Promise<OpenedClient> => {
  const client = await pool.connect();
  client.on('error', () => undefined);
  // Closed and not given back: the session's settings are ours.
  return { client, discard: () => client.release(true) };
};

/** A connection to a server, whatever it is. */
export const openClient = async (source: PostgresSource, connectTimeoutMs: number): Promise<OpenedClient> => {
  const opened =
    source.pool === undefined
      ? await ownClient(source.connectionString, connectTimeoutMs)
      : await pooledClient(source.pool);
  if (opened.client.pipeline) {
    opened.discard();
    throw new Error('a pool whose clients are made with `pipeline` cannot be used: this storage pipelines by itself');
  }
  return opened;
};
