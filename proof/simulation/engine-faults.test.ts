import { afterAll, expect, test } from 'vitest';
import { executionFaults } from './faults/execution-faults.ts';
import { openingFaults } from './faults/opening-faults.ts';
import { recoveryFaults } from './faults/recovery-faults.ts';
import { settlementFaults } from './faults/settlement-faults.ts';
import { runHistories } from './run-histories.ts';

const historiesMax = 1_000;
const seed = 1;

const faults = [...openingFaults, ...executionFaults, ...settlementFaults, ...recoveryFaults];
const table: { readonly fault: string; readonly history: number; readonly rule: string }[] = [];

afterAll(() => {
  const rows = table.map(({ fault, history, rule }) => `${String(history).padStart(5)}  ${rule.padEnd(34)} ${fault}`);
  console.log(['history  caught by                      fault', ...rows].join('\n'));
});

test('knows at least fifteen wrong engines, each by its name', () => {
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
  expect(faults.length).toBeGreaterThanOrEqual(15);
});

test.each(faults)('notices within 1,000 histories that $name', async ({ name, rule, subject, setup = {} }) => {
  const report = await runHistories({ count: historiesMax, seed, subject, setup, stopAtRule: rule });
  const first = report.broken.find(({ breaches }) => breaches.some((breach) => breach.rule === rule));
  expect(first, `no breach of ${rule}`).toBeDefined();
  table.push({ fault: name, history: (first?.seed ?? seed) - seed + 1, rule });
});
