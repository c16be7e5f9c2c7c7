import { describe, expect, test } from 'vitest';
import { shippingDecisions } from './decisions.ts';
import { allFaults } from './faults/all-faults.ts';
import type { Fault } from './faults/fault.ts';
import { tryHistory } from './find-violation.ts';
import { historySeed, seededRandom } from './random.ts';
import { randomHistory } from './random-history.ts';
import { checkNames, type CheckName } from './violation.ts';

/** Every fault must be caught within so many histories. */
const historiesMax = 1_000;
const runSeed = 20_261_120;

interface Caught {
  readonly first: { readonly check: CheckName; readonly histories: number } | null;
  /** How many histories until the check that is named caught it, or null. */
  readonly named: number | null;
}

const catchFault = (fault: Fault): Caught => {
  const decisions = { ...shippingDecisions, ...fault.put(shippingDecisions) };
  let first: Caught['first'] = null;
  for (let index = 0; index < historiesMax; index += 1) {
    const seed = historySeed(runSeed, index);
    const violation = tryHistory(decisions, randomHistory(seededRandom(seed), '', fault.theme), seed);
    if (violation === null) continue;
    first ??= { check: violation.check, histories: index + 1 };
    if (violation.check === fault.caughtBy) return { first, named: index + 1 };
  }
  return { first, named: null };
};

describe('deliberate faults in the decisions', () => {
  const caught = new Map(allFaults.map((fault) => [fault.name, catchFault(fault)]));

  test.each(allFaults.map((fault) => [fault.name, fault] as const))(
    'a ledger that %s is caught within 1,000 histories',
    (name, fault) => {
      const { first, named } = caught.get(name) ?? { first: null, named: null };
      expect(named, `${fault.caughtBy}, first ${first?.check ?? 'nothing'} after ${first?.histories}`).not.toBeNull();
    },
  );

  test('every check catches some fault', () => {
    const named = new Set(allFaults.map((fault) => fault.caughtBy));
    expect(checkNames.filter((check) => !named.has(check))).toEqual([]);
  });

  test('faults have names of their own', () => {
    expect(caught.size).toBe(allFaults.length);
    expect(allFaults.length).toBeGreaterThanOrEqual(140);
  });

  test('the table of faults is printed', () => {
    const lines = allFaults.map(({ name, caughtBy, seenAt }) => {
      const { first, named } = caught.get(name) ?? { first: null, named: null };
      const quickest = `${first?.check ?? 'nothing'} after ${first?.histories ?? '–'}`;
      return `| ${name} | ${caughtBy} | ${named ?? '–'} | ${quickest} | ${seenAt ?? ''} |`;
    });
    const table = ['| fault | check | histories | quickest check | seen at |', '|---|---|---|---|---|', ...lines].join(
      '\n',
    );
    console.log(table);
    expect(table.split('\n')).toHaveLength(allFaults.length + 2);
  });
});
