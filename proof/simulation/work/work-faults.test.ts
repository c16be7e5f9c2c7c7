import { afterAll, expect, test } from 'vitest';
import { createLockstep } from '../lockstep.ts';
import { enumerateStalls } from './enumerate-stalls.ts';
import { kindFaults } from './faults/kind-faults.ts';
import { processFaults } from './faults/process-faults.ts';
import { turnFaults } from './faults/turn-faults.ts';
import { runWorkHistories } from './run-work-histories.ts';

const historiesMax = 1_000;
const seed = 1;

const faults = [...kindFaults, ...processFaults, ...turnFaults];
const table: { readonly fault: string; readonly history: number; readonly rule: string }[] = [];

afterAll(() => {
  const rows = table.map(({ fault, history, rule }) => `${String(history).padStart(5)}  ${rule.padEnd(34)} ${fault}`);
  console.log(['history  caught by                      fault', ...rows].join('\n'));
});

test('knows wrong engines, each by its name', () => {
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
});

/** The others stall one worker in one place: too rare for histories that are drawn. */
const drawn = [...kindFaults, ...processFaults];

test.each(drawn)(
  'notices within 1,000 histories of deferred work that $name',
  async ({ name, rule, subject, setup = {} }) => {
    const report = await runWorkHistories({ count: historiesMax, seed, subject, setup, stopAtRule: rule });
    const first = report.broken.find(({ breaches }) => breaches.some((breach) => breach.rule === rule));
    expect(first, `no breach of ${rule}`).toBeDefined();
    table.push({ fault: name, history: (first?.seed ?? seed) - seed + 1, rule });
  },
);

test.each(turnFaults)('notices, by letting one await of a worker stall after the other, that $name', async (fault) => {
  const input = { subject: fault.subject, lockstep: createLockstep(), thorough: false };
  const { broken } = await enumerateStalls({ ...input, stopAtRule: fault.rule });
  expect(broken.map(({ rule }) => rule)).toContain(fault.rule);
});
