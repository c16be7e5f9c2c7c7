import { fdatasync, fdatasyncSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { storageBusyCode, type Storage } from '@tollgate/storage';
import { afterAll, expect, test } from 'vitest';
import { sqliteStorage } from './sqlite-storage.ts';
import type { SyncCalls } from './wal-sync.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-durability-'));
afterAll(() => rmSync(folder, { recursive: true }));

const keys = [{ table: 'setting', id: 'a' }] as const;

const put = (storage: Storage, value: string, meanwhile = (): void => undefined): Promise<void> =>
  storage.transact(keys, () => {
    meanwhile();
    return { writes: [{ kind: 'put', table: 'setting', record: { id: 'a', value } }], answer: undefined };
  });

/** The calls that make bytes durable, and how many were made. */
const countingSync = (): { readonly sync: SyncCalls; readonly syncs: () => number } => {
  let count = 0;
  const sync: SyncCalls = {
    fdatasync: (fd, done) => {
      count += 1;
      fdatasync(fd, done);
    },
    fdatasyncSync: (fd) => {
      count += 1;
      fdatasyncSync(fd);
    },
  };
  return { sync, syncs: () => count };
};

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test('syncs the log after the commit and before it responds to a lone step', async () => {
  const path = join(folder, 'lone.db');
  const events: string[] = [];
  const observe = new DatabaseSync(':memory:');
  observe.exec(`ATTACH '${path}' AS gateway`);
  const sync: SyncCalls = {
    fdatasync,
    fdatasyncSync: (fd) => {
      const row = observe.prepare('SELECT value FROM gateway.setting').get();
      events.push(`sync with ${String(row?.['value'])} committed`);
      fdatasyncSync(fd);
    },
  };
  const storage = sqliteStorage({ path, sync });
  await put(storage, 'one');
  events.push('answered');
  await storage.read(keys);
  await storage.transact(keys, (records) => ({ writes: [], answer: records }));
  expect(events).toEqual(['sync with one committed', 'answered']);
  observe.close();
  await storage.close();
});

test('responds to no step and no read before the sync, and lets the event loop run meanwhile', async () => {
  const held: (() => void)[] = [];
  const sync: SyncCalls = {
    fdatasync: (fd, done) => held.push(() => fdatasync(fd, done)),
    fdatasyncSync,
  };
  const storage = sqliteStorage({ path: join(folder, 'crowd.db'), sync });
  const events: string[] = [];
  const note = (event: string) => () => events.push(event);
  let second: Promise<unknown> = Promise.resolve();
  const first = put(storage, 'one', () => {
    second = put(storage, 'two').then(note('second'));
  }).then(note('first'));
  while (held.length === 0) await turn();
  const read = storage.read(keys).then(note('read'));
  const list = storage.list('accounts', { of: '', limit: 1 }).then(note('list'));
  for (let turns = 0; turns < 5; turns += 1) await turn();
  expect(events).toEqual([]);
  while (events.length < 4) {
    held.shift()?.();
    await turn();
  }
  await Promise.all([first, second, read, list]);
  expect(events.toSorted()).toEqual(['first', 'list', 'read', 'second']);
  await storage.close();
});

test('rejects the step and everything after it when the sync fails', async () => {
  const path = join(folder, 'failed.db');
  const broken: SyncCalls = {
    fdatasync,
    fdatasyncSync: () => {
      throw new Error('EIO');
    },
  };
  const storage = sqliteStorage({ path, sync: broken });
  await expect(put(storage, 'one')).rejects.toMatchObject({ cause: { message: 'EIO' } });
  await expect(put(storage, 'two')).rejects.toThrow('could not be synced');
  await expect(storage.read(keys)).rejects.toThrow('could not be synced');
  await expect(storage.claim({ table: 'operation', owner: 'me', leaseMs: 1, limit: 1 })).rejects.toThrow('could not');
  await storage.close();
  const reopened = sqliteStorage({ path });
  await put(reopened, 'three');
  await reopened.close();
});

test('syncs a claim after its commit and before it responds, and nothing where nothing is due', async () => {
  const { sync, syncs } = countingSync();
  const storage = sqliteStorage({ path: join(folder, 'claimed.db'), sync });
  const record = { id: 'blob', owner: null, dueAtMs: 1 };
  await storage.transact([{ table: 'pendingBlob', id: 'blob' }], () => ({
    writes: [{ kind: 'put', table: 'pendingBlob', record }],
    answer: undefined,
  }));
  const before = syncs();
  const claim = () => storage.claim({ table: 'pendingBlob', owner: 'me', leaseMs: 60_000, limit: 1 });
  expect(await claim()).toHaveLength(1);
  expect(syncs()).toBe(before + 1);
  expect(await claim()).toEqual([]);
  expect(syncs()).toBe(before + 1);
  await storage.close();
});

test('does not sync where the host chose normal', async () => {
  const calls: string[] = [];
  const sync: SyncCalls = { fdatasync: () => calls.push('aside'), fdatasyncSync: () => calls.push('inline') };
  const storage = sqliteStorage({ path: join(folder, 'normal.db'), synchronous: 'normal', sync });
  await put(storage, 'one');
  expect(calls).toEqual([]);
  await storage.close();
});

test('syncs what another process committed before it responds to a read that shows it', async () => {
  const path = join(folder, 'foreign.db');
  const { sync, syncs } = countingSync();
  const storage = sqliteStorage({ path, sync });
  await storage.read(keys);
  const before = syncs();
  const other = new DatabaseSync(path);
  other.exec("PRAGMA synchronous = NORMAL; INSERT INTO setting (id, value) VALUES ('a', 'theirs')");
  expect((await storage.read(keys)).get('setting', 'a')?.value).toBe('theirs');
  expect(syncs()).toBe(before + 1);
  await storage.read(keys);
  expect(syncs()).toBe(before + 1);
  other.close();
  await storage.close();
});

test('waits for a lock of another process without holding up the event loop, then refuses by code', async () => {
  const path = join(folder, 'locked.db');
  const storage = sqliteStorage({ path, busyTimeoutMs: 1_000 });
  const patient = sqliteStorage({ path });
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  let turns = 0;
  const refused = put(storage, 'one').catch((cause: unknown) => cause);
  const waits = put(patient, 'patient');
  const counting = setInterval(() => (turns += 1), 0);
  expect(await refused).toMatchObject({ code: storageBusyCode });
  clearInterval(counting);
  expect(turns).toBeGreaterThan(3);
  other.exec('ROLLBACK');
  await waits;
  await put(storage, 'two');
  other.close();
  await Promise.all([storage.close(), patient.close()]);
});
