import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { nextRun, parseCron } from './index.ts';

interface TruthCase {
  readonly id: string;
  readonly group: string;
  readonly schedule: string;
  readonly time_zone: string;
  readonly after: string;
  readonly count: number;
  readonly expected: readonly string[];
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../test-data/${name}.json`, import.meta.url), 'utf8'));

// The files lie beside the tests and are of these forms.
const { cases } = read('truth-table') as { readonly cases: readonly TruthCase[] };
const { rows } = read('syntax-table') as {
  readonly rows: readonly { readonly expr: string; readonly strict: 0 | 1 }[];
};

const accepts = (text: string): boolean => {
  try {
    parseCron(text);
    return true;
  } catch {
    return false;
  }
};

const runsAfter = ({ schedule, time_zone: zone, after, count }: TruthCase): readonly string[] => {
  if (!accepts(schedule)) return [];
  const parsed = parseCron(schedule);
  const runs: string[] = [];
  let at = Date.parse(after);
  while (runs.length < count) {
    const next = nextRun(parsed, zone, at);
    if (next === null) break;
    runs.push(new Date(next).toISOString().replace(':00.000Z', 'Z'));
    at = next;
  }
  return runs;
};

test('has all cases of the table', () => {
  expect(cases).toHaveLength(174);
  expect(rows).toHaveLength(109);
});

test.each(cases)('runs $schedule in $time_zone after $after as expected: $group $id [triggers:schedule:dst]', (one) => {
  expect(runsAfter(one)).toEqual(one.expected);
});

test.each(rows)('judges $expr by the strict grammar [triggers:schedule:dialect]', ({ expr, strict }) => {
  expect(accepts(expr)).toBe(strict === 1);
});
