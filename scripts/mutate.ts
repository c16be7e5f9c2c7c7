// Plants small faults into the sources and tells which of them no test notices: `npm run mutate -- --count 1000 --seed 1`.
// `--only <folder>` keeps to a folder or file, `--changed <commit>` to the files that changed since then, `--survivors` to those
// that `test/mutants/score.json` lists, of the folders that `--only` names if it names any, and `--tests <part of a path>` to some
// of the tests, such as those that are new. `--write` brings the folders that were tried up to date in that file.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { equivalents } from '../test/mutants/equivalents.ts';
import { byStratum, chooseMutants } from './mutate/choose-mutants.ts';
import { tryPairs } from './mutate/kill.ts';
import { openMutationRun, type MutationRun } from './mutate/mutation-run.ts';
import { planKills, testsByMutant } from './mutate/plan-kills.ts';
import { mergedScore, Score, scoreOf, updatedScore } from './mutate/score.ts';
import { keyOf, type SourceMutant } from './mutate/source-mutant.ts';
import type { Numbered } from './mutate/switch-source.ts';
import { targets } from './mutate/targets.ts';
import { findTestFiles } from './mutate/test-files.ts';
import { openTypeCheck } from './mutate/type-check.ts';

const root = path.resolve(import.meta.dirname, '..');
const scoreFile = path.join(root, 'test/mutants/score.json');

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    /** Time of the tests that are tried with one mutant. */
    'budget-ms': { type: 'string', default: '3000' },
    only: { type: 'string', multiple: true, default: [] },
    changed: { type: 'string' },
    survivors: { type: 'boolean', default: false },
    /** Parts of the paths of the test files that are tried; all by default. */
    tests: { type: 'string', multiple: true, default: [] },
    write: { type: 'boolean', default: false },
  },
});

/** Which mutants are wanted, and the places below which they all are. */
interface Wish {
  readonly places: readonly string[];
  readonly has: (mutant: Pick<SourceMutant, 'file' | 'within' | 'change'>) => boolean;
}

const isBelow = (file: string, place: string): boolean => `${file}/`.startsWith(`${place}/`);

const changedSince = (commit: string): readonly string[] =>
  execFileSync('git', ['diff', '--name-only', '--merge-base', commit], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '');

const readScore = (): Score => Score.parse(JSON.parse(readFileSync(scoreFile, 'utf8')));

const wishOf = (): Wish => {
  const changed = values.changed === undefined ? [] : changedSince(values.changed);
  const isAll = values.changed === undefined && values.only.length === 0;
  const places = isAll ? targets : [...values.only, ...changed];
  const isPlaced = ({ file }: { readonly file: string }): boolean => places.some((place) => isBelow(file, place));
  if (!values.survivors) return { places, has: isPlaced };
  const survivors = readScore().survivors.filter(isPlaced);
  const keys = new Set(survivors.map(keyOf));
  return { places: survivors.map(({ file }) => file), has: (mutant) => keys.has(keyOf(mutant)) };
};

const say = (line: string): void => console.error(line);
const seed = Number(values.seed);
const wish = wishOf();
const folders = targets.filter((folder) =>
  wish.places.some((place) => isBelow(place, folder) || isBelow(folder, place)),
);

/** The mutants that are tried: a sample of what is wanted. What only runs as its module loads cannot be switched on for one test. */
const choose = ({ mutants, coverage }: MutationRun): readonly Numbered[] => {
  const reached = new Set(coverage.tests.flatMap((test) => test.reached));
  const pool = mutants.all.filter(
    ({ id, mutant }) => wish.has(mutant) && (reached.has(id) || !coverage.loaded.has(id)),
  );
  if (values.survivors) return pool;
  const types = openTypeCheck(root, mutants.texts);
  const chosen = chooseMutants(folders, pool, { count: Number(values.count), seed, accepts: types.accepts });
  types.close();
  say(`${pool.length} mutants, of which ${chosen.length} are tried with ${coverage.tests.length} tests`);
  return chosen;
};

const print = (tried: Score, { survivors: _all, folders: strata, ...sum }: Score): void => {
  for (const { file, line, within, change, reachedBy } of tried.survivors)
    console.log(`${file}:${line} ${within} (${reachedBy} tests): ${change}`);
  console.table(strata);
  console.log(sum);
};

const testFiles = (): readonly string[] => {
  const { tests } = values;
  const files = findTestFiles(root, folders);
  return tests.length === 0 ? files : files.filter((file) => tests.some((part) => file.includes(part)));
};

const tryMutants = async (): Promise<Score> => {
  const run = await openMutationRun(root, targets, testFiles());
  const { tests, sick, unended } = run.coverage;
  for (const file of unended) say(`left out, since its tests never came to their end: ${file}`);
  for (const { file, name } of sick) say(`left out, since it fails without a mutant: ${file} ${name}`);
  const chosen = choose(run);
  const reaching = testsByMutant(
    chosen.map(({ id }) => id),
    tests,
  );
  const pairs = planKills(reaching, Number(values['budget-ms']));
  const { kills } = await tryPairs({ root, base: run.base, tests, say }, pairs);
  return scoreOf({
    seed,
    strata: byStratum(folders, chosen),
    kills,
    coverage: run.coverage,
    equivalents: new Set(equivalents.map(keyOf)),
  });
};

if (folders.length === 0) say('there is no mutant to try: scripts/mutate/targets.ts lists the folders');
else {
  const tried = await tryMutants();
  const score = values.survivors ? mergedScore(readScore(), tried, wish.has) : tried;
  print(tried, score);
  const written = values.survivors ? score : updatedScore(readScore(), score);
  if (values.write) writeFileSync(scoreFile, `${JSON.stringify(written, null, 2)}\n`);
}
