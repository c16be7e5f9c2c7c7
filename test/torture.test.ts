import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runTorture } from '../scripts/torture/run-torture.ts';
import { createSqliteStore } from '../scripts/torture/sqlite-store.ts';

const scale = Number(process.env['TEST_SCALE'] ?? '1');
const folder = path.resolve(import.meta.dirname, '../node_modules/.cache/torture');

/** A process takes a second to start where others test beside it. */
const timeoutMs = 180_000 * scale;

test.each([1, 2])(
  'keeps every promise of %i gateways on one SQLite file through 10 kills each',
  async (gateways) => {
    mkdirSync(folder, { recursive: true });
    const store = createSqliteStore(folder);
    const report = await runTorture({ kills: 10 * scale, gateways, seed: 20_261_120 + gateways, store });
    const { acknowledgedLost, executedTwice, mischarged, stuck, audit, anomalies } = report;
    expect({ acknowledgedLost, executedTwice, mischarged, stuck, audit, anomalies }).toEqual({
      acknowledgedLost: [],
      executedTwice: [],
      mischarged: [],
      stuck: [],
      audit: [],
      anomalies: [],
    });
    expect(report.kills.gateway).toBeGreaterThanOrEqual(10 * scale);
    // Without load there would have been nothing to lose.
    expect(Math.min(report.acknowledged, report.executions, report.uncertain)).toBeGreaterThan(0);
  },
  timeoutMs,
);
