import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runTorture } from '../scripts/torture/run-torture.ts';

const scale = Number(process.env['TEST_SCALE'] ?? '1');
const folder = path.resolve(import.meta.dirname, '../node_modules/.cache/torture');

/** A process takes a second to start where others test beside it. */
const timeoutMs = 180_000 * scale;

test.each([1, 2])(
  'keeps every promise of %i gateways on one SQLite file through 10 kills each',
  async (processes) => {
    mkdirSync(folder, { recursive: true });
    const report = await runTorture({ kills: 10 * scale, processes, seed: 20_261_120 + processes, folder });
    const { acknowledgedLost, executedTwice, mischarged, stuck, audit, anomalies } = report;
    expect({ acknowledgedLost, executedTwice, mischarged, stuck, audit, anomalies }).toEqual({
      acknowledgedLost: [],
      executedTwice: [],
      mischarged: [],
      stuck: [],
      audit: [],
      anomalies: [],
    });
    expect(report.kills).toBeGreaterThanOrEqual(10 * scale);
    // Without load there would have been nothing to lose.
    expect(Math.min(report.acknowledged, report.executions, report.uncertain)).toBeGreaterThan(0);
  },
  timeoutMs,
);
