import { memoryStorage } from '@tollgate/storage-memory';
import { sqliteStorage } from '@tollgate/storage-sqlite';
import { expect, test } from 'vitest';
import { describeBreaches } from './describe-breaches.ts';
import { runHistories } from './run-histories.ts';

const times = Number(process.env['TOLLGATE_SIMULATIONS'] ?? process.env['TEST_SCALE'] ?? '1');
const testMs = 60_000 * times;

/** A gatherer takes off after the present turn, and lands in the next. */
const turnsPerTick = 4;

test(
  'keeps every promise in the same histories over the memory storage',
  async () => {
    const report = await runHistories({
      count: 2_000 * times,
      seed: 1,
      openStorage: (now) => memoryStorage({ now }),
      turnsPerTick,
    });
    expect(describeBreaches(report)).toEqual([]);
    expect(report.executions).toBeGreaterThan(report.histories);
  },
  testMs,
);

test(
  'keeps every promise in the same histories over SQLite',
  async () => {
    const report = await runHistories({
      count: 600 * times,
      seed: 1,
      openStorage: (now) => sqliteStorage({ path: ':memory:', now }),
      turnsPerTick,
    });
    expect(describeBreaches(report)).toEqual([]);
    expect(report.executions).toBeGreaterThan(report.histories);
  },
  testMs,
);
