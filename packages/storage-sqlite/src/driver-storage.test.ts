import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openDriver } from '../../../docs/snippets/sqlite-driver.ts';
import type { SqliteDriver } from './driver-connection.ts';
import { driverStorage } from './driver-storage.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-closed-'));
afterAll(() => rmSync(folder, { recursive: true }));

const key = { table: 'setting', id: 'a' } as const;

/** Drivers of which each is open until it was closed; a commit waits while it is held. */
const createDrivers = (path: string) => {
  const open = new Set<SqliteDriver>();
  let held: Promise<void> | null = null;
  return {
    open,
    holdCommits: (until: Promise<void>) => void (held = until),
    openOne: (): SqliteDriver => {
      const driver = openDriver(path);
      const watched: SqliteDriver = {
        run: async (text, values) => {
          if (text === 'COMMIT') await held;
          return driver.run(text, values);
        },
        close: () => {
          open.delete(watched);
          driver.close();
        },
      };
      open.add(watched);
      return watched;
    },
  };
};

test('closes every connection, once the steps under way are committed', async () => {
  const path = join(folder, 'a.db');
  const drivers = createDrivers(path);
  const storage = await driverStorage({ open: drivers.openOne });
  expect(drivers.open.size).toBe(3);
  const committed = Promise.withResolvers<void>();
  drivers.holdCommits(committed.promise);
  const step = storage.transact([key], () => ({
    writes: [{ kind: 'put', table: 'setting', record: { id: 'a', value: 'kept' } }],
    answer: 'done',
  }));
  const closing = storage.close();
  for (let turns = 0; turns < 5; turns += 1) await new Promise(setImmediate);
  expect(drivers.open.size).toBe(3);
  committed.resolve();
  expect(await step).toBe('done');
  await closing;
  expect(drivers.open.size).toBe(0);
  const again = await driverStorage({ open: () => openDriver(path) });
  expect((await again.read([key])).get('setting', 'a')?.value).toBe('kept');
  await again.close();
});

test('closes what it opened where it cannot be opened as a whole', async () => {
  const drivers = createDrivers(join(folder, 'b.db'));
  let opened = 0;
  const open = (): SqliteDriver => {
    opened += 1;
    if (opened > 2) throw new Error('too many connections');
    return drivers.openOne();
  };
  await expect(driverStorage({ open })).rejects.toThrow('too many connections');
  // One of them was being opened while another one failed.
  for (let turns = 0; turns < 5; turns += 1) await new Promise(setImmediate);
  expect(drivers.open.size).toBe(0);
});
