import { expect, test } from 'vitest';
import { describeBreaches } from './describe-breaches.ts';
import { runHistories } from './run-histories.ts';
import type { WorldSetup } from './world.ts';

/** Multiplies the histories: `TOLLGATE_SIMULATIONS=500` lives a hundred million. */
const times = Number(process.env['TOLLGATE_SIMULATIONS'] ?? process.env['TEST_SCALE'] ?? '1');
const firstSeed = Number(process.env['TOLLGATE_SIMULATION_SEED'] ?? '1');

const kinds: readonly { readonly name: string; readonly histories: number; readonly setup: Partial<WorldSetup> }[] = [
  {
    name: 'the built-in wallet',
    histories: Math.round(120_000 * times),
    setup: { ledger: 'wallet', identities: 'built_in' },
  },
  {
    name: "a host's wallet",
    histories: Math.round(30_000 * times),
    setup: { ledger: 'host', identities: 'built_in' },
  },
  {
    name: "a host's identities",
    histories: Math.round(30_000 * times),
    setup: { ledger: 'wallet', identities: 'host' },
  },
  {
    name: "a host's wallet and identities",
    histories: Math.round(20_000 * times),
    setup: { ledger: 'host', identities: 'host' },
  },
];

test.each(kinds)(
  'keeps every promise in $histories histories of three processes on $name, with faults at every await [ledger:failed:no-debit] [ledger:uncertain:keeps-hold]',
  async ({ name, histories: count, setup }) => {
    const report = await runHistories({ count, seed: firstSeed, setup });
    console.log(
      `${name}: ${report.histories} histories, ${report.steps} steps, ${report.faults} faults, ` +
        `${report.executions} executions, ${report.brokenCount} violations`,
    );
    expect(describeBreaches(report)).toEqual([]);
    expect(report.histories).toBe(count);
    expect(report.executions).toBeGreaterThan(count);
  },
);

test('lives the same history again from the same seed', async () => {
  const once = await runHistories({ count: 200, seed: 77 });
  expect(await runHistories({ count: 200, seed: 77 })).toEqual(once);
});
