import { describeStorage, startStorageWriter, type StorageHooks } from '@tollgate/testing/storage';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll } from 'vitest';
import { hasMariaDb } from '../../../test/mariadb-files.ts';
import { startMariaDb, type MariaDb } from '../../../test/mariadb-server.ts';
import { onMariaDb } from '../../../test/on-mariadb.ts';
import { createMysqlProxy } from '../../../test/mysql-proxy.ts';
import { columnName } from '@tollgate/storage/sql';
import { mysqlStorage } from './mysql-storage.ts';

const isThere = hasMariaDb();

let server: MariaDb;
let proxy: Awaited<ReturnType<typeof createMysqlProxy>>;
beforeAll(async () => {
  if (!isThere) return;
  server = await startMariaDb();
  proxy = await createMysqlProxy(server.url);
});
afterAll(async () => {
  if (!isThere) return;
  proxy.close();
  await server.stop();
});

const writer = new URL('../../../test/storage-writer.ts', import.meta.url).pathname;
const text = (value: string): string => `'${value}'`;
const tableOf = (table: string): string => `gateway.\`${columnName(table)}\``;

/** Triggers at the write; no trigger of this database waits for the commit. */
const refuse: NonNullable<StorageHooks['refuse']> = async ({ table, id }) => {
  const triggers = ['INSERT', 'UPDATE'].map((kind) => ({ kind, name: `gateway.refusing_${kind.toLowerCase()}` }));
  for (const { kind, name } of triggers)
    await server.root.query(`CREATE TRIGGER ${name} BEFORE ${kind} ON ${tableOf(table)} FOR EACH ROW
      IF NEW.id = ${text(id)} THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'refused'; END IF`);
  return async () => {
    for (const { name } of triggers) await server.root.query(`DROP TRIGGER ${name}`);
  };
};

const take: NonNullable<StorageHooks['hold']>['take'] = async ({ table, id }) => {
  const client = await createConnection({ uri: server.url });
  await client.query('START TRANSACTION');
  await client.query(`SELECT 1 FROM ${tableOf(table)} WHERE id = ${text(id)} FOR UPDATE`);
  return async () => {
    await client.query('ROLLBACK');
    await client.end();
  };
};

const blobBytes = async (): Promise<number> => {
  const [rows] = await server.root.query({
    sql: 'SELECT coalesce(sum(length(bytes)), 0) FROM gateway.blob_part',
    rowsAsArray: true,
  });
  return Number((rows as unknown as readonly (readonly unknown[])[])[0]?.[0]);
};

/** The server's settings while the storage opens let commits be acknowledged before they are durable. */
const openUnsafe = async (open: () => ReturnType<typeof mysqlStorage>) => {
  await server.root.query('SET GLOBAL innodb_flush_log_at_trx_commit = 2');
  try {
    return await open();
  } finally {
    await server.root.query('SET GLOBAL innodb_flush_log_at_trx_commit = 1');
  }
};

describeStorage(onMariaDb('mysqlStorage'), 'mysqlStorage', async () => {
  let nowMs = 1;
  await server.empty('gateway');
  const options = { connectionString: server.url, now: () => nowMs };
  return {
    storage: await mysqlStorage({ ...options, connectionString: proxy.url }),
    reopen: () => mysqlStorage(options),
    setNow: (ms) => {
      nowMs = ms;
    },
    cut: async () => {
      const cuts = proxy.cuts();
      proxy.swallowAnswerTo(';COMMIT');
      return () => proxy.cuts() > cuts;
    },
    refuse,
    hold: { take, openImpatient: () => mysqlStorage({ ...options, lockTimeoutMs: 1_000, retriesMax: 1 }) },
    startWriter: () => startStorageWriter(['--conditions=@tollgate/source', writer, 'mysql', server.url]),
    openOwnClock: () => mysqlStorage({ connectionString: server.url }),
    openUnsafe: () => openUnsafe(() => mysqlStorage(options)),
    blobBytes,
  };
});
