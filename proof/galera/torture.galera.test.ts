// Two gateways and a worker under load while one node after another is killed, cut off or frozen.
import { describe, expect, test } from 'vitest';
import { createGaleraStore } from '../torture/galera-store.ts';
import { runTorture } from '../torture/run-torture.ts';
import { onGalera } from './on-galera.ts';

const scale = Number(process.env['TEST_SCALE'] ?? '1');
/** Of gateways and workers, and of nodes: each of the three in each of three ways. */
const [kills, nodes] = [12 * scale, 9 * scale];

describe.runIf(onGalera('torture on Galera'))('gateways on a Galera cluster', () => {
  test(`keep every promise through ${nodes} nodes killed, cut off and frozen and ${kills} gateways and workers killed`, async () => {
    const store = await createGaleraStore();
    const report = await runTorture({ kills, serverKills: nodes, gateways: 2, workers: 1, seed: 20_261_126, store });
    const { acknowledgedLost, executedTwice, mischarged, stuck, unexplained, audit, anomalies, ...figures } = report;
    console.info('torture on Galera:', JSON.stringify({ ...figures, statuses: [...figures.statuses] }));
    expect({ acknowledgedLost, executedTwice, mischarged, stuck, unexplained, audit, anomalies }).toEqual({
      acknowledgedLost: [],
      executedTwice: [],
      mischarged: [],
      stuck: [],
      unexplained: [],
      audit: [],
      anomalies: [],
    });
    expect(report.kills.server).toBe(nodes);
    // Without load there would have been nothing to lose.
    expect(Math.min(report.acknowledged, report.executions)).toBeGreaterThan(0);
  });
});
