import { writeFileSync } from 'node:fs';
import type { Entry, Plan, TestName } from './plan.ts';
import { readJournal, runPlan } from './run-plan.ts';
import { numbersOf } from './switchboard.ts';

/** A test, how long it took and which switches it reached. */
export interface CoveredTest extends TestName {
  readonly ms: number;
  readonly reached: readonly number[];
}

export interface Coverage {
  readonly tests: readonly CoveredTest[];
  /** What ran as modules loaded. */
  readonly loaded: ReadonlySet<number>;
  /** Tests that fail without any mutant, which nothing is tried with. */
  readonly sick: readonly TestName[];
}

const coverageOf = (entries: readonly Entry[]): Coverage => {
  const tests: CoveredTest[] = [];
  const loaded = new Set<number>();
  const sick: TestName[] = [];
  for (const entry of entries) {
    if (entry.kind === 'sick') sick.push(entry.by);
    if (entry.kind !== 'covered') continue;
    const reached = numbersOf(entry.bits);
    if (entry.test === null) for (const id of reached) loaded.add(id);
    else tests.push({ ...entry.test, ms: entry.ms, reached });
  }
  return { tests, loaded, sick };
};

/** Runs every test once without a mutant, unless that is known. */
export const cover = async (root: string, plan: Plan, isKnown: boolean): Promise<Coverage> => {
  if (!isKnown) {
    const end = await runPlan(root, plan);
    if (end === 'silent') throw new Error('the tests did not end');
    writeFileSync(`${plan.journal}.done`, '');
  }
  return coverageOf(readJournal(plan.journal));
};
