import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runTorture } from './run-torture.ts';
import { createSqliteStore } from './sqlite-store.ts';

const scale = Number(process.env['TEST_SCALE'] ?? '1');
const folder = path.resolve(import.meta.dirname, '../../node_modules/.cache/torture');

test.each([1, 2])('keeps every promise of %i gateways on one SQLite file through 10 kills each', async (gateways) => {
  mkdirSync(folder, { recursive: true });
  const store = createSqliteStore(folder);
  const report = await runTorture({ kills: 10 * scale, gateways, seed: 20_261_120 + gateways, store });
  const { acknowledgedLost, executedTwice, mischarged, stuck, unexplained, audit, anomalies } = report;
  expect({ acknowledgedLost, executedTwice, mischarged, stuck, unexplained, audit, anomalies }).toEqual({
    acknowledgedLost: [],
    executedTwice: [],
    mischarged: [],
    stuck: [],
    unexplained: [],
    audit: [],
    anomalies: [],
  });
  expect(report.kills.gateway).toBeGreaterThanOrEqual(10 * scale);
  // Without load there would have been nothing to lose.
  expect(Math.min(report.acknowledged, report.executions, report.uncertain)).toBeGreaterThan(0);
});

test('finds gateways that lose returns which their upstream measured', async () => {
  mkdirSync(folder, { recursive: true });
  const store = createSqliteStore(folder);
  const report = await runTorture({ kills: 2, gateways: 1, seed: 20_261_120, store, lostShare: 0.2 });
  expect(report.unexplained.length).toBeGreaterThan(0);
  expect(report.mischarged).toEqual([]);
});
