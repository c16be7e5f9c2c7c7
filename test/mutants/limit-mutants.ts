import { engineMutant, suiteCase } from './mutant-rows.ts';
import type { Mutant } from './mutant.ts';

const inMemory = (
  name: string,
  [search, replace]: readonly [search: string, replace: string],
  title: string,
): Mutant => ({
  name,
  file: 'packages/limits/src/memory-limits.ts',
  search,
  replace,
  test: { project: 'unit', file: 'packages/limits/src/memory-limits.test.ts', title },
});

const whenReleased = (title: string): Mutant['test'] => suiteCase('limit-release-cases.ts', title);

/** Faults in what is reserved within rates and corrected afterwards. */
export const limitMutants: readonly Mutant[] = [
  inMemory(
    'a place that is given back twice makes room for two',
    ['if (isReleased) return;', ''],
    'gives nothing of another request back, however often a ticket is released',
  ),
  engineMutant(
    'a place that was admitted too late is never given back',
    ['limits/reserve-within.ts', '      void giveBackLate(answer);\n', ''],
    ['limits/reserve-within.test.ts', 'a place that is admitted too late is given back with all its tokens'],
  ),
  {
    name: 'what may have run gives its tokens back',
    file: 'packages/engine/src/limits/used-tokens.ts',
    search: 'mayHaveRun.has(outcome.code) ? null : 0',
    replace: 'mayHaveRun.has(outcome.code) ? 0 : 0',
    test: whenReleased('gives back the tokens of what did not run, and keeps the estimate of what may have run'),
  },
  inMemory(
    'a request whose use is unknown keeps its place for good',
    [
      "if (bucket.amount === 'concurrency') state.running -= 1;",
      "if (bucket.amount === 'concurrency') state.running -= tokens === null ? 0 : 1;",
    ],
    'admits the next when one has ended whose use is unknown',
  ),
];
