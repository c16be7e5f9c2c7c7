import { expect, test } from 'vitest';
import { createPostgresStore } from '../../scripts/torture/postgres-store.ts';
import { runTorture } from '../../scripts/torture/run-torture.ts';

const scale = Number(process.env['TEST_SCALE'] ?? '1');
const [kills, serverKills] = [20 * scale, 5 * scale];

/** A process takes a second to start where others test beside it. */
const timeoutMs = 240_000 * scale;

test(
  `keeps every promise of two gateways and a worker on PostgreSQL through ${kills} kills of them and ${serverKills} of the server`,
  async () => {
    const store = await createPostgresStore();
    const report = await runTorture({ kills, serverKills, gateways: 2, workers: 1, seed: 20_261_120, store });
    const { acknowledgedLost, executedTwice, mischarged, stuck, audit, anomalies } = report;
    expect({ acknowledgedLost, executedTwice, mischarged, stuck, audit, anomalies }).toEqual({
      acknowledgedLost: [],
      executedTwice: [],
      mischarged: [],
      stuck: [],
      audit: [],
      anomalies: [],
    });
    expect(report.kills.gateway + report.kills.worker).toBeGreaterThanOrEqual(kills);
    expect(report.kills.server).toBe(serverKills);
    // Without load there would have been nothing to lose.
    expect(Math.min(report.acknowledged, report.executions, report.uncertain)).toBeGreaterThan(0);
  },
  timeoutMs,
);
