import { describeStorage, startStorageWriter, type HeldRecords, type RefuseWrites } from '@tollgate/testing/storage';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { createPostgresProxy } from '../../../test/postgres-proxy.ts';
import { runSql, testDatabase, type TestDatabase } from '../../../test/postgres-server.ts';
import { postgresStorage } from './postgres-storage.ts';
import { tableNameIn } from './table-statements.ts';

let database: TestDatabase;
let proxy: Awaited<ReturnType<typeof createPostgresProxy>>;
beforeAll(async () => {
  database = await testDatabase();
  proxy = await createPostgresProxy(database.url);
});
afterAll(async () => {
  proxy.close();
  await database.drop();
});

const writer = new URL('../../../test/storage-writer.ts', import.meta.url).pathname;
const text = (value: string): string => `'${value}'`;

/** A trigger at the write, or one that waits for the commit; its function throws. */
const refuse =
  (schema: string, at: 'write' | 'commit'): RefuseWrites =>
  async ({ table, id }) => {
    const name = tableNameIn(schema, table);
    const kind = at === 'write' ? 'TRIGGER refusing BEFORE' : 'CONSTRAINT TRIGGER refusing AFTER';
    await runSql(
      database.url,
      `CREATE OR REPLACE FUNCTION ${schema}.refuse() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
      CREATE ${kind} INSERT OR UPDATE ON ${name} ${at === 'write' ? '' : 'DEFERRABLE INITIALLY DEFERRED'}
        FOR EACH ROW WHEN (NEW.id = ${text(id)}) EXECUTE FUNCTION ${schema}.refuse()`,
    );
    return async () => {
      await runSql(database.url, `DROP TRIGGER refusing ON ${name}`);
    };
  };

const take =
  (schema: string): HeldRecords['take'] =>
  async ({ table, id }) => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query('BEGIN');
    await client.query(`SELECT 1 FROM ${tableNameIn(schema, table)} WHERE id = ${text(id)} FOR UPDATE`);
    return async () => {
      await client.query('ROLLBACK');
      await client.end();
    };
  };

const blobBytes = async (schema: string): Promise<number> => {
  const bytesOf = (table: string): string => `(SELECT coalesce(sum(length(bytes)), 0) FROM ${schema}.${table})`;
  const [row] = await runSql(database.url, `SELECT (${bytesOf('blob')} + ${bytesOf('blob_part')})::int AS bytes`);
  return Number(row?.['bytes']);
};

/** The database with commits that are acknowledged before they are durable. */
const unsafeUrl = (): string => {
  const url = new URL(database.url);
  url.searchParams.set('options', '-c synchronous_commit=off');
  return url.href;
};

let schemas = 0;

describeStorage({ describe, test }, 'postgresStorage', async () => {
  schemas += 1;
  let nowMs = 1;
  const schema = `case${schemas}`;
  const options = { connectionString: database.url, schema, now: () => nowMs };
  return {
    storage: await postgresStorage({ ...options, connectionString: proxy.url }),
    reopen: () => postgresStorage(options),
    setNow: (ms) => {
      nowMs = ms;
    },
    cut: async () => {
      const cuts = proxy.cuts();
      // By its name the statement is executed; the text goes only once over each connection.
      proxy.swallowAnswerTo('commit');
      return () => proxy.cuts() > cuts;
    },
    refuse: refuse(schema, 'write'),
    refuseCommit: refuse(schema, 'commit'),
    hold: {
      take: take(schema),
      openImpatient: () => postgresStorage({ ...options, lockTimeoutMs: 30, retriesMax: 1 }),
    },
    startWriter: () => startStorageWriter(['--conditions=@tollgate/source', writer, 'postgres', database.url, schema]),
    openOwnClock: () => postgresStorage({ connectionString: database.url, schema }),
    openUnsafe: () => postgresStorage({ ...options, connectionString: unsafeUrl() }),
    blobBytes: () => blobBytes(schema),
  };
});
