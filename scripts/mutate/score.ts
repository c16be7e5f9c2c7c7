import { z } from 'zod';
import type { Coverage } from './cover.ts';
import type { Kill } from './kill.ts';
import { keyOf } from './source-mutant.ts';
import type { Numbered } from './switch-source.ts';

/** What became of the mutants of one folder. */
export type Stratum = z.infer<typeof Stratum>;
const Stratum = z.object({ tried: z.int(), killed: z.int(), equivalent: z.int(), survived: z.int() });

/** A mutant that no test notices, and where it is. */
type Survivor = z.infer<typeof Survivor>;
const Survivor = z.object({
  file: z.string(),
  line: z.int(),
  within: z.string(),
  change: z.string(),
  /** Tests that run the place of the mutant. */
  reachedBy: z.int(),
});

/** What a run found out, as `test/mutants/score.json` holds it. */
export type Score = z.infer<typeof Score>;
export const Score = Stratum.extend({
  seed: z.int(),
  /** Killed of those that are not equivalent, in percent. */
  score: z.number(),
  folders: z.record(z.string(), Stratum),
  survivors: z.array(Survivor),
});

const byPlace = (a: Survivor, b: Survivor): number => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line);

/** What is known of the mutants that were taken. */
export interface Outcome {
  readonly seed: number;
  readonly strata: ReadonlyMap<string, readonly Numbered[]>;
  readonly kills: ReadonlyMap<number, readonly Kill[]>;
  readonly coverage: Coverage;
  /** Keys of mutants that do nothing a caller could see. */
  readonly equivalents: ReadonlySet<string>;
}

const isEquivalent = ({ equivalents }: Outcome, { mutant }: Numbered): boolean => equivalents.has(keyOf(mutant));

const stratumOf = (outcome: Outcome, group: readonly Numbered[]): Stratum => {
  const killed = group.filter(({ id }) => outcome.kills.has(id)).length;
  const equivalent = group.filter((each) => !outcome.kills.has(each.id) && isEquivalent(outcome, each)).length;
  return { tried: group.length, killed, equivalent, survived: group.length - killed - equivalent };
};

/** Killed of those that count, in percent with one decimal, rounded down. */
export const percentOf = ({ killed, survived }: Pick<Stratum, 'killed' | 'survived'>): number =>
  killed + survived === 0 ? 100 : Math.floor((1000 * killed) / (killed + survived)) / 10;

const survivorsOf = (outcome: Outcome, all: readonly Numbered[]): Survivor[] => {
  const reached = new Map<number, number>();
  for (const test of outcome.coverage.tests) for (const id of test.reached) reached.set(id, (reached.get(id) ?? 0) + 1);
  return all
    .filter((each) => !outcome.kills.has(each.id) && !isEquivalent(outcome, each))
    .map(({ id, mutant: { file, line, within, change } }) => ({
      file,
      line,
      within,
      change,
      reachedBy: reached.get(id) ?? 0,
    }))
    .toSorted(byPlace);
};

export const scoreOf = (outcome: Outcome): Score => {
  const all = [...outcome.strata.values()].flat();
  const sum = stratumOf(outcome, all);
  return {
    seed: outcome.seed,
    ...sum,
    score: percentOf(sum),
    folders: Object.fromEntries([...outcome.strata].map(([folder, group]) => [folder, stratumOf(outcome, group)])),
    survivors: survivorsOf(outcome, all),
  };
};

const none: Stratum = { tried: 0, killed: 0, equivalent: 0, survived: 0 };

const isIn = (folder: string, { file }: Pick<Score['survivors'][number], 'file'>): boolean =>
  file.startsWith(`${folder}/`);

/** What became of a folder of which some survivors were tried again. One that is no longer in the sources counts no more. */
const mergedStratum = (before: Stratum, asked: number, again: Stratum): Stratum => ({
  tried: before.tried - asked + again.tried,
  killed: before.killed + again.killed,
  equivalent: before.equivalent + again.equivalent,
  survived: before.survived - asked + again.survived,
});

/** A score of which some survivors were tried again, and no other mutant. */
export const mergedScore = (before: Score, again: Score, isAsked: (survivor: Survivor) => boolean): Score => {
  const asked = before.survivors.filter(isAsked);
  const folders = Object.fromEntries(
    Object.entries(before.folders).map(([folder, row]) => {
      const own = asked.filter((survivor) => isIn(folder, survivor)).length;
      return [folder, mergedStratum(row, own, again.folders[folder] ?? none)];
    }),
  );
  const sum = mergedStratum(before, asked.length, again);
  const reached = new Map(before.survivors.map((survivor) => [keyOf(survivor), survivor.reachedBy]));
  // They may have been tried again with some of the tests.
  const still = again.survivors.map((survivor) => ({
    ...survivor,
    reachedBy: Math.max(survivor.reachedBy, reached.get(keyOf(survivor)) ?? 0),
  }));
  const others = before.survivors.filter((survivor) => !isAsked(survivor));
  return { ...before, ...sum, score: percentOf(sum), folders, survivors: [...others, ...still].toSorted(byPlace) };
};

/** A score of which some folders were tried anew. The others stay as they were. */
export const updatedScore = (before: Score, anew: Score): Score => {
  const tried = Object.entries(anew.folders).filter(([, row]) => row.tried > 0);
  const folders: Record<string, Stratum> = { ...before.folders, ...Object.fromEntries(tried) };
  const others = before.survivors.filter((survivor) => !tried.some(([folder]) => isIn(folder, survivor)));
  const rows = Object.values(folders);
  const sumOf = (figure: keyof Stratum): number => rows.reduce((sum, row) => sum + row[figure], 0);
  const sum = {
    tried: sumOf('tried'),
    killed: sumOf('killed'),
    equivalent: sumOf('equivalent'),
    survived: sumOf('survived'),
  };
  const survivors = [...others, ...anew.survivors].toSorted(byPlace);
  return { ...before, ...sum, seed: anew.seed, score: percentOf(sum), folders, survivors };
};
