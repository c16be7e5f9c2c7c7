import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { describeStorage, startStorageWriter, type HeldRecords, type RefuseWrites } from '@tollgate/testing/storage';
import { afterAll, describe, test } from 'vitest';
import { columnName } from '@tollgate/storage/sql';
import { sqliteStorage } from './sqlite-storage.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true }));

const clock = () => {
  let nowMs = 1;
  const setNow = (ms: number): void => {
    nowMs = ms;
  };
  return { now: () => nowMs, setNow };
};

const writer = fileURLToPath(new URL('../../../test/storage-writer.ts', import.meta.url));

/** Runs statements as another client of the file. */
const runOn = (path: string, sql: string): void => {
  const database = new DatabaseSync(path, { timeout: 10_000 });
  database.exec(sql);
  database.close();
};

/** A trigger that throws, or one that leaves a reference to nothing, which fails when the transaction commits. */
const refuse =
  (path: string, at: 'write' | 'commit'): RefuseWrites =>
  async ({ table, id }) => {
    const body =
      at === 'write' ? "SELECT RAISE(ABORT, 'refused')" : 'INSERT OR REPLACE INTO refused_child (parent) VALUES (1)';
    runOn(
      path,
      `CREATE TABLE IF NOT EXISTS refused_parent (id INTEGER PRIMARY KEY);
      CREATE TABLE IF NOT EXISTS refused_child (parent INTEGER REFERENCES refused_parent DEFERRABLE INITIALLY DEFERRED)`,
    );
    for (const verb of ['INSERT', 'UPDATE'])
      runOn(
        path,
        `CREATE TRIGGER refusing_${verb} AFTER ${verb} ON ${columnName(table)} WHEN NEW.id = '${id}' BEGIN ${body}; END`,
      );
    return async () => runOn(path, 'DROP TRIGGER refusing_INSERT; DROP TRIGGER refusing_UPDATE');
  };

const take =
  (path: string): HeldRecords['take'] =>
  async () => {
    const database = new DatabaseSync(path, { timeout: 10_000 });
    database.exec('BEGIN IMMEDIATE');
    return async () => {
      database.exec('ROLLBACK');
      database.close();
    };
  };

const bytesUnder = (path: string): number =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);

let files = 0;

describeStorage({ describe, test }, 'sqliteStorage on a file', async () => {
  files += 1;
  const { now, setNow } = clock();
  const options = { path: join(folder, `${files}.db`), now };
  return {
    storage: sqliteStorage(options),
    reopen: async () => sqliteStorage(options),
    setNow,
    refuse: refuse(options.path, 'write'),
    refuseCommit: refuse(options.path, 'commit'),
    hold: { take: take(options.path), openImpatient: async () => sqliteStorage({ ...options, busyTimeoutMs: 100 }) },
    startWriter: () => startStorageWriter(['--conditions=@tollgate/source', writer, 'sqlite', options.path]),
    blobBytes: () => bytesUnder(`${options.path}-blobs`),
  };
});

describeStorage({ describe, test }, 'sqliteStorage in memory', async () => {
  const { now, setNow } = clock();
  return { storage: sqliteStorage({ path: ':memory:', now }), setNow };
});
