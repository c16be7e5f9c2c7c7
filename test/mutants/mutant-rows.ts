import type { Mutant } from './mutant.ts';

/** A fault in one place of the engine, and a test of the engine, both below its `src`. */
export const engineMutant = (
  name: string,
  [file, search, replace]: readonly [file: string, search: string, replace: string],
  [test, title]: readonly [test: string, title: string],
): Mutant => ({
  name,
  file: `packages/engine/src/${file}`,
  search,
  replace,
  test: { project: 'unit', file: `packages/engine/src/${test}`, title },
});

/** A case of the gateway suite, in memory. */
export const suiteCase = (cases: string, title: string): Mutant['test'] => ({
  project: 'integration',
  file: 'test/gateway/memory.test.ts',
  cases: `packages/testing/src/gateway/${cases}`,
  title,
});
