import { idsOfTitle } from '../../test/requirements/check-requirements.ts';
import type { CoveredTest } from './cover.ts';
import type { Trials } from './kill.ts';
import { pairOf } from './plan.ts';

/** A rule of the contract and the tests whose titles name it. */
export interface Rule {
  readonly id: string;
  readonly tests: readonly CoveredTest[];
}

/** Mutants of one rule that are tried at once. */
const triesAtOnce = 5;
/** Rounds of as many, after which a rule is left unshown. */
export const roundsMax = 4;
/** Other tests that are asked whether they notice a mutant too. */
const othersAsked = 6;

/** Tests that take longer are not tried. */
const testMsMax = 1000;

/** The rules that titles name, each with its tests. */
export const rulesOf = (tests: readonly CoveredTest[]): readonly Rule[] => {
  const rules = new Map<string, CoveredTest[]>();
  for (const test of tests.filter(({ ms }) => ms <= testMsMax))
    for (const id of new Set(idsOfTitle(test.name))) rules.set(id, [...(rules.get(id) ?? []), test]);
  return [...rules].map(([id, own]) => ({ id, tests: own })).toSorted((a, b) => (a.id < b.id ? -1 : 1));
};

/** How many tests reach each mutant. */
export const breadthOf = (tests: readonly CoveredTest[]): ReadonlyMap<number, number> => {
  const breadth = new Map<number, number>();
  for (const { reached } of tests) for (const id of reached) breadth.set(id, (breadth.get(id) ?? 0) + 1);
  return breadth;
};

/** The mutants that a rule's tests reach, of those that can be switched on: what the fewest tests reach comes first. */
export const candidatesOf = ({ tests }: Rule, breadth: ReadonlyMap<number, number>, round: number): readonly number[] =>
  [...new Set(tests.flatMap(({ reached }) => reached))]
    .filter((id) => breadth.has(id))
    .toSorted((a, b) => (breadth.get(a) ?? 0) - (breadth.get(b) ?? 0) || a - b)
    .slice((round - 1) * triesAtOnce, round * triesAtOnce);

/** The pairs to try: each candidate of each rule with the rule's own tests. */
export const ownPairs = (
  wanted: ReadonlyMap<string, readonly number[]>,
  rules: readonly Rule[],
): ReadonlyMap<number, readonly string[]> => {
  const pairs = new Map<number, Set<string>>();
  for (const { id, tests } of rules)
    for (const mutant of wanted.get(id) ?? []) {
      const reaching = tests.filter(({ reached }) => reached.includes(mutant));
      pairs.set(mutant, new Set([...(pairs.get(mutant) ?? []), ...reaching.map((test) => test.id)]));
    }
  return new Map([...pairs].map(([mutant, tests]) => [mutant, [...tests]] as const));
};

/** A mutant that a rule's own test noticed. */
export interface Noticed {
  readonly rule: Rule;
  readonly mutant: number;
}

export const noticedBy = (
  rules: readonly Rule[],
  wanted: ReadonlyMap<string, readonly number[]>,
  { kills }: Trials,
): readonly Noticed[] =>
  rules.flatMap((rule) => {
    const own = new Set(rule.tests.map(({ id }) => id));
    const mine = (mutant: number): boolean => kills.get(mutant)?.some(({ by }) => own.has(by.id)) ?? false;
    return (wanted.get(rule.id) ?? []).filter(mine).map((mutant) => ({ rule, mutant }));
  });

/** Some of the tests of other rules that reach a mutant, from the nearest to the farthest. */
export const othersOf = ({ rule, mutant }: Noticed, tests: readonly CoveredTest[]): readonly CoveredTest[] => {
  const own = new Set(rule.tests.map(({ id }) => id));
  const others = tests
    .filter(({ id, ms, reached }) => !own.has(id) && ms <= testMsMax / 2 && reached.includes(mutant))
    .toSorted((a, b) => a.reached.length - b.reached.length);
  const step = Math.max(1, others.length / othersAsked);
  return Array.from({ length: Math.min(othersAsked, others.length) }, (_, at) => others[Math.floor(at * step)]).filter(
    (test) => test !== undefined,
  );
};

/** A mutant is of a rule where the rule's test notices it, and most other tests that run the same place do not. */
export const isOfRule = (noticed: Noticed, others: readonly CoveredTest[], { kills, tried }: Trials): boolean => {
  const noticing = new Set(kills.get(noticed.mutant)?.map(({ by }) => by.id));
  const asked = others.filter(({ id }) => tried.has(pairOf(noticed.mutant, id)));
  return asked.filter(({ id }) => noticing.has(id)).length * 2 <= asked.length;
};
