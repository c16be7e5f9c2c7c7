import { memoryStorage } from '@tollgate/storage-memory';
import { sqliteStorage } from '@tollgate/storage-sqlite';
import { afterAll, expect, test } from 'vitest';
import { testDatabase, type TestDatabase } from '../../test/postgres-server.ts';
import { describeBreaches } from './describe-breaches.ts';
import { createPostgresWorlds } from './postgres-worlds.ts';
import { runHistories } from './run-histories.ts';

const times = Number(process.env['TOLLGATE_SIMULATIONS'] ?? process.env['TEST_SCALE'] ?? '1');
let database: TestDatabase | undefined;
afterAll(async () => database?.drop());

/** A step batcher flushes after the present turn, and its batch ends in the next. */
const turnsPerTick = 4;

test('keeps every promise in the same histories over the memory storage', async () => {
  const report = await runHistories({
    count: Math.round(2_000 * times),
    seed: 1,
    openStorage: (now) => memoryStorage({ now }),
    lockstep: { turnsPerTick },
  });
  expect(describeBreaches(report)).toEqual([]);
  expect(report.executions).toBeGreaterThan(report.histories);
});

test('keeps every promise in the same histories over SQLite', async () => {
  const report = await runHistories({
    count: Math.round(600 * times),
    seed: 1,
    openStorage: (now) => sqliteStorage({ path: ':memory:', now }),
    lockstep: { turnsPerTick },
  });
  expect(describeBreaches(report)).toEqual([]);
  expect(report.executions).toBeGreaterThan(report.histories);
});

test('keeps every promise in the same histories over PostgreSQL', async () => {
  database = await testDatabase();
  const worlds = await createPostgresWorlds(database.url);
  const report = await runHistories({
    count: Math.round(300 * times),
    seed: 1,
    openStorage: worlds.open,
    lockstep: { turnsPerTick, atRest: worlds.atRest },
    // Each has four connections.
    sideBySide: 16,
  });
  await worlds.close();
  expect(describeBreaches(report)).toEqual([]);
  expect(report.executions).toBeGreaterThan(report.histories);
});
