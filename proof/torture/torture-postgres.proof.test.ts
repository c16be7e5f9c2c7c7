import { expect, test } from 'vitest';
import { createPostgresStore } from './postgres-store.ts';
import { runTorture } from './run-torture.ts';
import type { TortureStore } from './store-choice.ts';
import { runSql } from '../../test/postgres-server.ts';

const scale = Number(process.env['TEST_SCALE'] ?? '1');
const [kills, serverKills] = [20 * scale, 5 * scale];

test(`keeps every promise of two gateways and a worker on PostgreSQL through ${kills} kills of them and ${serverKills} of the server`, async () => {
  const store = await createPostgresStore();
  const report = await runTorture({ kills, serverKills, gateways: 2, workers: 1, seed: 20_261_120, store });
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
  expect(report.kills.gateway + report.kills.worker).toBeGreaterThanOrEqual(kills);
  expect(report.kills.server).toBe(serverKills);
  // Without load there would have been nothing to lose.
  expect(Math.min(report.acknowledged, report.executions, report.uncertain)).toBeGreaterThan(0);
});

/** A server that loses its last commits when it is killed, as one with synchronous_commit off does. */
const forgetful = (store: TortureStore): TortureStore => ({
  ...store,
  killServer: async () => {
    const { choice } = store;
    if (choice.kind !== 'postgres') return;
    const last = await runSql(
      choice.url,
      `SELECT id FROM tollgate.operation WHERE state = 'completed' ORDER BY ended_at_ms DESC LIMIT 40`,
    );
    await store.killServer?.();
    const ids = `ANY('{${last.map(({ id }) => String(id)).join(',')}}')`;
    await runSql(choice.url, `DELETE FROM tollgate.identity WHERE operation_id = ${ids}`);
    await runSql(choice.url, `DELETE FROM tollgate.operation WHERE id = ${ids}`);
  },
});

test('tells of a server that forgets what it acknowledged last', async () => {
  const store = forgetful(await createPostgresStore());
  const report = await runTorture({ kills: 0, serverKills: 3, gateways: 1, seed: 20_261_120, store });
  // Asked for again, it ran again.
  expect(report.executedTwice.length).toBeGreaterThan(0);
  expect(report.anomalies.join(' ')).toContain('other bytes than before');
  // The ledger alone does not show it: only the reference upstream outside does.
  expect(report.audit).toEqual([]);
});
