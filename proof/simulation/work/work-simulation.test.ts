import { expect, test } from 'vitest';
import { createLockstep } from '../lockstep.ts';
import { enumerateStalls } from './enumerate-stalls.ts';
import { describeWork, runWorkHistories } from './run-work-histories.ts';
import { shippingWork } from './work-subject.ts';

/** Multiplies the histories: `TOLLGATE_SIMULATIONS=500` lives more than a million. */
const times = Number(process.env['TOLLGATE_SIMULATIONS'] ?? process.env['TEST_SCALE'] ?? '1');
const firstSeed = Number(process.env['TOLLGATE_SIMULATION_SEED'] ?? '1');

const kinds = [
  { name: 'the built-in wallet', histories: Math.round(2_500 * times), setup: { ledger: 'wallet' } },
  { name: "a host's wallet", histories: Math.round(500 * times), setup: { ledger: 'host' } },
] as const;

test.each(kinds)(
  'keeps every promise in $histories histories of deferred work on $name, with faults, stalls and deaths at every await',
  async ({ name, histories: count, setup }) => {
    const report = await runWorkHistories({ count, seed: firstSeed, setup });
    console.log(
      `${name}: ${report.histories} histories, ${report.steps} steps, ${report.faults} faults, ` +
        `${report.executions} hand-overs, ${report.brokenCount} violations`,
    );
    expect(describeWork(report)).toEqual([]);
    expect(report.histories).toBe(count);
    expect(report.executions).toBeGreaterThan(count);
  },
);

test('keeps every promise wherever a worker stalls past its lease or dies, while another goes on', async () => {
  const report = await enumerateStalls({ subject: shippingWork, lockstep: createLockstep(), thorough: times > 1 });
  console.log(`${report.cases} cases, ${report.handOvers} hand-overs, ${report.broken.length} violations`);
  expect(report.broken).toEqual([]);
  expect(report.cases).toBeGreaterThan(5_000);
});

test('lives the same history again from the same seed', async () => {
  const once = await runWorkHistories({ count: 50, seed: 77 });
  expect(await runWorkHistories({ count: 50, seed: 77 })).toEqual(once);
});
