import type { CoveredTest } from './cover.ts';

/** The tests of each mutant, by their ids. */
export type Pairs = ReadonlyMap<number, readonly string[]>;

/** Tests that take longer are not tried: a mutant that they alone notice counts as one that lives. */
const testMsMax = 1500;

/** The tests that reach each mutant. The nearest come first, which are those that reach the least besides. */
export const testsByMutant = (
  mutants: readonly number[],
  tests: readonly CoveredTest[],
): ReadonlyMap<number, readonly CoveredTest[]> => {
  const reaching = new Map<number, CoveredTest[]>(mutants.map((id) => [id, []]));
  const nearestFirst = tests
    .filter(({ ms }) => ms <= testMsMax)
    .toSorted((a, b) => a.reached.length - b.reached.length || a.ms - b.ms);
  for (const test of nearestFirst) for (const id of test.reached) reaching.get(id)?.push(test);
  return reaching;
};

/** As many of the tests of each mutant as fit into the time for one. */
export const planKills = (reaching: ReadonlyMap<number, readonly CoveredTest[]>, budgetMs: number): Pairs =>
  new Map(
    [...reaching].map(([id, tests]) => {
      let ms = 0;
      const within = tests.filter((test) => {
        ms += Math.max(1, test.ms);
        return ms <= budgetMs;
      });
      return [id, within.map((test) => test.id)] as const;
    }),
  );
