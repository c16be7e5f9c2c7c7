import { afterAll, expect, test } from 'vitest';
import { eventFaults } from './faults/event-faults.ts';
import { describeEvents, runEventHistories } from './run-event-histories.ts';

/** Multiplies the histories: `TOLLGATE_SIMULATIONS=500` lives half a million. */
const times = Number(process.env['TOLLGATE_SIMULATIONS'] ?? process.env['TEST_SCALE'] ?? '1');
const firstSeed = Number(process.env['TOLLGATE_SIMULATION_SEED'] ?? '1');
const count = Math.round(1_000 * times);

test(`keeps every promise in ${count} histories of webhooks and schedules, with faults, stalls and deaths at every await [webhooks:delivery:one-per-webhook]`, async () => {
  const report = await runEventHistories({ count, seed: firstSeed });
  console.log(
    `${report.histories} histories, ${report.steps} steps, ${report.faults} faults, ` +
      `${report.executions} requests to receivers, ${report.brokenCount} violations`,
  );
  expect(describeEvents(report)).toEqual([]);
  expect(report.histories).toBe(count);
  expect(report.executions).toBeGreaterThan(count);
});

const table: { readonly fault: string; readonly history: number; readonly rule: string }[] = [];

afterAll(() => {
  const rows = table.map(({ fault, history, rule }) => `${String(history).padStart(5)}  ${rule.padEnd(34)} ${fault}`);
  console.log(['history  caught by                      fault', ...rows].join('\n'));
});

test.each(eventFaults)(
  'notices within 300 histories of events that $name',
  async ({ name, rule, subject, setup = {} }) => {
    const report = await runEventHistories({ count: 300, seed: 1, subject, setup, stopAtRule: rule });
    const first = report.broken.find(({ breaches }) => breaches.some((breach) => breach.rule === rule));
    expect(first, `no breach of ${rule}`).toBeDefined();
    table.push({ fault: name, history: first?.seed ?? 0, rule });
  },
);

test('knows wrong engines, each by its name', () => {
  expect(new Set(eventFaults.map(({ name }) => name)).size).toBe(eventFaults.length);
});

test('lives the same history of events again from the same seed', async () => {
  const once = await runEventHistories({ count: 20, seed: 77 });
  expect(await runEventHistories({ count: 20, seed: 77 })).toEqual(once);
});
