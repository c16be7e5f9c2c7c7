import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runKinds, type KindsOptions } from './run-kinds.ts';
import { ways } from './ways.ts';
import { createSqliteStore } from '../torture/sqlite-store.ts';

const scale = Number(process.env['TEST_SCALE'] ?? '1');
const folder = path.resolve(import.meta.dirname, '../../node_modules/.cache/torture');

const small = (): Omit<KindsOptions, 'kills' | 'ways' | 'seed'> => {
  mkdirSync(folder, { recursive: true });
  return { killsPerWay: Infinity, clients: 2, gateways: 1, workers: 2, store: createSqliteStore(folder) };
};

const families = ['video', 'batch', 'interaction', 'import', 'generate', 'embed', 'tool', 'cache'] as const;

test('runs no work twice, charges what was measured and leaves nothing behind through 20 kills in the middle of every kind', async () => {
  const report = await runKinds({ ...small(), kills: 20 * scale, ways, seed: 20_261_120, inHand: families });
  const { executedTwice, mischarged, stuck, unexplained, untold, orphans, audit, anomalies, byWay } = report;
  expect({ executedTwice, mischarged, stuck, unexplained, untold, orphans, audit, anomalies }).toEqual({
    executedTwice: [],
    mischarged: [],
    stuck: [],
    unexplained: [],
    untold: [],
    orphans: [],
    audit: [],
    anomalies: [],
  });
  expect(report.kills).toBeGreaterThanOrEqual(20 * scale);
  // Without work in their hands nothing could have been lost.
  expect(report.killsInHand).toBeGreaterThanOrEqual(5 * scale);
  const sum = (figure: 'executions' | 'completed'): number => byWay.reduce((all, each) => all + each[figure], 0);
  expect(Math.min(sum('executions'), sum('completed'))).toBeGreaterThan(0);
  expect(byWay.filter(({ resources }) => resources === 0)).toEqual([]);
});

test('finds kinds that run their work again after a take-over', async () => {
  const handed = ways.filter(({ name }) => ['video', 'cache upstream', 'interaction as a job'].includes(name));
  // Each process dies between the work and its note, so that the next one finds no trace of it.
  const report = await runKinds({
    ...small(),
    kills: 6,
    inHand: ['video', 'cache', 'interaction'],
    inHandOnly: true,
    ways: handed,
    seed: 1,
    clients: 4,
    forgetful: true,
  });
  expect(report.executedTwice.length).toBeGreaterThan(0);
});
