import { array, check as checkProperty, nat, property, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { printCommand } from './command.ts';
import { shippingDecisions, type Decisions } from './decisions.ts';
import { eventTheme } from './event-theme.ts';
import { settleFaults } from './faults/settle-faults.ts';
import { tryHistory } from './find-violation.ts';
import { moneyTheme } from './money-theme.ts';
import { givenNumbers } from './random.ts';
import { drawnHistory } from './random-history.ts';
import { runScale } from './run-scale.ts';
import type { Theme } from './theme.ts';
import { workTheme } from './work-theme.ts';

const draws = array(nat(1_000), { minLength: 12, maxLength: 12 });
/** Lists of draws: fast-check leaves some out and makes numbers smaller until the history is as short as can be. */
const historiesOf = (theme: Theme) =>
  tuple(array(nat(1_000), { minLength: 18, maxLength: 18 }), array(draws, { minLength: 1, maxLength: 24 })).map(
    ([slots, commands]) => drawnHistory(givenNumbers(slots), commands.map(givenNumbers), theme),
  );

interface CheckInput {
  readonly theme?: Theme;
  readonly numRuns: number;
  readonly seed: number;
}

const check = (decisions: Decisions, { theme = moneyTheme, numRuns, seed }: CheckInput) =>
  checkProperty(
    property(historiesOf(theme), (history) => {
      const violation = tryHistory(decisions, history, seed);
      if (violation !== null) throw new Error(`${violation.check}: ${violation.detail}`);
    }),
    { numRuns, seed },
  );

test.each([
  { name: 'history', theme: moneyTheme, runs: 5_000 },
  { name: 'history of work', theme: workTheme, runs: 2_000 },
  { name: 'history of events', theme: eventTheme, runs: 2_000 },
])('fast-check finds no $name that breaks a promise', ({ theme, runs }) => {
  const seed = Math.floor(Date.now() / 86_400_000);
  const input = { theme, numRuns: Math.round(runs * runScale), seed };
  const { failed, counterexample, errorInstance } = check(shippingDecisions, input);
  const lines = counterexample?.[0].commands.map(printCommand).join('\n') ?? '';
  expect(failed ? `seed ${seed}: ${String(errorInstance)}\n${lines}` : null).toBeNull();
});

test('a history that breaks a promise is cut down to the few commands that matter', () => {
  const fault = settleFaults.find(({ name }) => name === 'debits a second settlement again');
  const { failed, counterexample } = check(
    { ...shippingDecisions, ...fault?.put(shippingDecisions) },
    { numRuns: 5_000, seed: 1 },
  );
  expect(failed).toBe(true);
  const commands = counterexample?.[0].commands ?? [];
  expect(commands.length).toBeLessThanOrEqual(5);
  expect(
    commands.filter(({ body }) => body.kind === 'settle' || body.kind === 'resolve').length,
  ).toBeGreaterThanOrEqual(2);
});
