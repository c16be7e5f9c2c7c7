import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
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
  /** Test files that never came to their end: a mutant that they alone notice counts as one that lives. */
  readonly unended: readonly string[];
}

/** What is covered, with which switches, and where what each file reaches is kept. */
export interface CoverPlan {
  readonly root: string;
  readonly base: Pick<Plan, 'journal' | 'switches' | 'sources' | 'once'>;
  /** Test files by the file that keeps what each reaches. */
  readonly kept: ReadonlyMap<string, string>;
}

/** Processes that are started for the files that the one before did not come to the end of. */
const roundsMax = 6;
/** Times that a file may be the one at which a process ends before it is left out. */
const endsMax = 2;

const coverageOf = (entries: readonly Entry[], unended: readonly string[]): Coverage => {
  const tests: CoveredTest[] = [];
  const loaded = new Set<number>();
  const sick: TestName[] = [];
  for (const entry of entries) {
    if (entry.kind === 'sick') sick.push(entry.by);
    if (entry.kind === 'loaded') for (const id of numbersOf(entry.bits)) loaded.add(id);
    if (entry.kind === 'covered') tests.push({ ...entry.test, ms: entry.ms, reached: numbersOf(entry.bits) });
  }
  return { tests, loaded, sick, unended };
};

const fileOf = (entry: Entry): string | null => {
  if (entry.kind === 'covered') return entry.test.file;
  if (entry.kind === 'sick') return entry.by.file;
  return entry.kind === 'loaded' || entry.kind === 'ended' ? entry.file : null;
};

/** Keeps the entries of each file that ended, and returns the file at which the process ended before its time. */
const keepEnded = ({ base, kept }: CoverPlan): string | null => {
  const byFile = new Map<string, Entry[]>();
  let last: string | null = null;
  for (const entry of readJournal(base.journal)) {
    const file = fileOf(entry);
    if (file === null) continue;
    byFile.set(file, [...(byFile.get(file) ?? []), entry]);
    last = entry.kind === 'ended' ? null : file;
  }
  for (const [file, entries] of byFile) {
    const place = kept.get(file);
    if (place === undefined || !entries.some(({ kind }) => kind === 'ended')) continue;
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  }
  return last;
};

/** A test that failed may have failed for the load of the machine: its file is run again. */
const forgetSick = ({ kept }: CoverPlan): void => {
  for (const place of kept.values()) if (readJournal(place).some(({ kind }) => kind === 'sick')) rmSync(place);
};

/**
 * Runs every test once without a mutant, but for those of files whose result is kept. A process that dies, or goes silent, leaves
 * files without a result: they are run again, and those that never end are named.
 */
export const cover = async (plan: CoverPlan): Promise<Coverage> => {
  forgetSick(plan);
  const ends = new Map<string, number>();
  const left = (): readonly string[] =>
    [...plan.kept]
      .filter(([file, place]) => !existsSync(place) && (ends.get(file) ?? 0) < endsMax)
      .map(([file]) => file)
      .toSorted((a, b) => (ends.get(a) ?? 0) - (ends.get(b) ?? 0));
  for (let round = 1, files = left(); round <= roundsMax && files.length > 0; round += 1, files = left()) {
    await runPlan(plan.root, { ...plan.base, mode: 'cover', files, tests: {}, suspects: [] });
    const at = keepEnded(plan);
    if (at !== null) ends.set(at, (ends.get(at) ?? 0) + 1);
  }
  const places = [...plan.kept].filter(([, place]) => existsSync(place));
  const ended = new Set(places.map(([file]) => file));
  return coverageOf(
    places.flatMap(([, place]) => readJournal(place)),
    [...plan.kept.keys()].filter((file) => !ended.has(file)),
  );
};
