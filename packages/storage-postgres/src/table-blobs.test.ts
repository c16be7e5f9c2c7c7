import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runSql, testDatabase, type TestDatabase } from '../../../test/postgres-server.ts';
import { postgresStorage } from './postgres-storage.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => database.drop());

const schema = 'blobs';

async function* chunks(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** Resolves when another session waits for a lock. */
const waitedFor = async (): Promise<void> => {
  for (;;) {
    const rows = await runSql(
      database.url,
      "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
    );
    if (rows.length > 0) return;
  }
};

/** Another writer, whose upload is in place as soon as it commits. */
const openWriter = async (): Promise<Client> => {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`BEGIN;
    INSERT INTO ${schema}.blob_part (key, upload, seq, bytes) VALUES ('key', 'theirs', 0, 'first');
    INSERT INTO ${schema}.blob (key, bytes, upload, size_bytes, part_bytes) VALUES ('key', '', 'theirs', 5, 5)`);
  return client;
};

test('of two streams to a new key that end at the same moment, the rows of one are left', async () => {
  const storage = await postgresStorage({ connectionString: database.url, schema });
  const writer = await openWriter();
  const written = storage.blobs.putStream('key', chunks('second'));
  await waitedFor();
  await writer.query('COMMIT');
  await writer.end();
  expect(await written).toBe(6);
  expect(Buffer.from((await storage.blobs.get('key')) ?? []).toString()).toBe('second');
  const rows = await runSql(database.url, `SELECT upload FROM ${schema}.blob_part`);
  expect(rows).toHaveLength(1);
  await storage.close();
});

test('a stream whose key was deleted removes nothing of the one that came after it', async () => {
  const storage = await postgresStorage({ connectionString: database.url, schema });
  async function* overtaken(): AsyncGenerator<Uint8Array> {
    // One row is written before the next chunk is asked for.
    yield Buffer.alloc(600_000);
    await storage.blobs.delete('key');
    await storage.blobs.putStream('key', chunks('after'));
  }
  await expect(storage.blobs.putStream('key', overtaken())).rejects.toThrow('deleted while it was written');
  expect(Buffer.from((await storage.blobs.get('key')) ?? []).toString()).toBe('after');
  await storage.close();
});
