// The suite of storages with the two openings of each case on two nodes of a cluster.
import { columnName } from '@tollgate/storage/sql';
import { mysqlStorage } from '@tollgate/storage-mysql';
import { describeStorage, startStorageWriter, type StorageHooks, type TestRunner } from '@tollgate/testing/storage';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { startGalera, type Galera, type GaleraNode } from '../../test/galera-cluster.ts';
import { createMysqlProxy } from '../../test/mysql-proxy.ts';
import { onGalera } from './on-galera.ts';

const isThere = onGalera('storage on Galera');

const runner: TestRunner = {
  describe: (title, body) => {
    // A title is a variable here, and the body comes from the suite.
    // oxlint-disable-next-line vitest/valid-title
    describe.runIf(isThere)(title, () => {
      body();
    });
  },
  test,
};

let cluster: Galera;
let proxy: Awaited<ReturnType<typeof createMysqlProxy>>;
beforeAll(async () => {
  if (!isThere) return;
  cluster = await startGalera();
  proxy = await createMysqlProxy(nodeAt(0).url);
});
afterAll(async () => {
  if (!isThere) return;
  proxy.close();
  await cluster.stop();
});

const nodeAt = (at: number): GaleraNode => {
  const node = cluster.nodes[at];
  if (node === undefined) throw new Error(`there is no node ${at}`);
  return node;
};

const writer = new URL('../../test/storage-writer.ts', import.meta.url).pathname;
const text = (value: string): string => `'${value}'`;
const tableOf = (table: string): string => `gateway.\`${columnName(table)}\``;

const refuse: NonNullable<StorageHooks['refuse']> = async ({ table, id }) => {
  const triggers = ['INSERT', 'UPDATE'].map((kind) => ({ kind, name: `gateway.refusing_${kind.toLowerCase()}` }));
  for (const { kind, name } of triggers)
    await nodeAt(0).query(`CREATE TRIGGER ${name} BEFORE ${kind} ON ${tableOf(table)} FOR EACH ROW
      IF NEW.id = ${text(id)} THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'refused'; END IF`);
  return async () => {
    for (const { name } of triggers) await nodeAt(0).query(`DROP TRIGGER ${name}`);
  };
};

/** On the node of the storage: a lock on another one would hold it up no more than until the commit. */
const take: NonNullable<StorageHooks['hold']>['take'] = async ({ table, id }) => {
  const client = await createConnection({ uri: nodeAt(0).url });
  await client.query('START TRANSACTION');
  await client.query(`SELECT 1 FROM ${tableOf(table)} WHERE id = ${text(id)} FOR UPDATE`);
  return async () => {
    await client.query('ROLLBACK');
    await client.end();
  };
};

const openUnsafe = async (open: () => ReturnType<typeof mysqlStorage>) => {
  await nodeAt(0).query('SET GLOBAL innodb_flush_log_at_trx_commit = 2');
  try {
    return await open();
  } finally {
    await nodeAt(0).query('SET GLOBAL innodb_flush_log_at_trx_commit = 1');
  }
};

describeStorage(runner, 'mysqlStorage on two nodes of a Galera cluster', async () => {
  let nowMs = 1;
  await cluster.empty();
  const optionsAt = (at: number) => ({ connectionString: nodeAt(at).url, now: () => nowMs });
  return {
    storage: await mysqlStorage({ ...optionsAt(0), connectionString: proxy.url }),
    reopen: () => mysqlStorage(optionsAt(1)),
    setNow: (ms) => {
      nowMs = ms;
    },
    cut: async () => {
      const cuts = proxy.cuts();
      proxy.swallowAnswerTo('COMMIT;');
      return () => proxy.cuts() > cuts;
    },
    refuse,
    hold: { take, openImpatient: () => mysqlStorage({ ...optionsAt(0), lockTimeoutMs: 1_000, retriesMax: 1 }) },
    startWriter: () => startStorageWriter(['--conditions=@tollgate/source', writer, 'mysql', nodeAt(2).url]),
    openOwnClock: () => mysqlStorage({ connectionString: nodeAt(0).url }),
    openUnsafe: () => openUnsafe(() => mysqlStorage(optionsAt(0))),
    blobBytes: async () => {
      // Another node than that of the storage may be behind it.
      const [row] = await nodeAt(1).query(
        'SET STATEMENT wsrep_sync_wait = 1 FOR SELECT coalesce(sum(length(bytes)), 0) AS bytes FROM gateway.blob_part',
      );
      return Number(row?.['bytes']);
    },
  };
});
