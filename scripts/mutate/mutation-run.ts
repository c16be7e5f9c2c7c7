import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { cover, type Coverage, type CoverPlan } from './cover.ts';
import { findAllMutants, type Mutants } from './find-mutants.ts';
import type { Plan } from './plan.ts';
import { prepareSources } from './prepare-sources.ts';

/** The mutants of some folders, their switched sources, and what each test reaches. */
export interface MutationRun {
  readonly root: string;
  readonly mutants: Mutants;
  readonly coverage: Coverage;
  readonly base: Pick<Plan, 'journal' | 'switches' | 'sources' | 'once'>;
}

/** Sources of as many kinds have what their tests reach kept. */
const homesMax = 3;

const isTest = (file: string): boolean => file.endsWith('.test.ts');
/** The cases of the gateway suite, which no test beside a source runs. */
const isGatewayCase = (file: string): boolean => file.startsWith('packages/testing/src/gateway/');

const hashOf = (parts: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length} ${part}`);
  return hash.digest('hex').slice(0, 16);
};

/** The texts of some files, each behind its name. */
const textsOf = (root: string, files: readonly string[]): readonly string[] =>
  files.flatMap((file) => [file, readFileSync(path.join(root, file), 'utf8')]);

/** What the tests run besides themselves: all sources, and what supports the tests. */
const supportOf = (root: string): readonly string[] =>
  globSync(['packages/*/{src,test}/**/*.ts', 'test/**/*.ts', 'docs/snippets/**/*.ts'], { cwd: root })
    .filter((file) => !isTest(file) && !file.startsWith('test/mutants/'))
    .toSorted();

const keptPlaces = (root: string, home: string, files: readonly string[]): CoverPlan['kept'] => {
  const cases = hashOf(textsOf(root, supportOf(root).filter(isGatewayCase)));
  return new Map(
    files.map((file) => {
      const text = textsOf(root, [file]);
      const key = hashOf(file.startsWith('packages/') ? text : [...text, cases]);
      return [file, path.join(home, 'covered', `${key}.jsonl`)] as const;
    }),
  );
};

/** The folder of what is known of the sources as they are. Those of older sources are removed. */
const openHome = (root: string, folders: readonly string[]): string => {
  const homes = path.join(root, 'coverage/mutants');
  const sources = supportOf(root).filter((file) => !isGatewayCase(file));
  const home = path.join(homes, hashOf([...folders, ...textsOf(root, sources)]));
  mkdirSync(home, { recursive: true });
  const byAge = readdirSync(homes)
    .map((name) => path.join(homes, name))
    .filter((place) => place !== home)
    .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const old of byAge.slice(homesMax - 1)) rmSync(old, { recursive: true, force: true });
  return home;
};

/** Finds the mutants of some folders and runs some test files once to see which of them each reaches. */
export const openMutationRun = async (
  root: string,
  folders: readonly string[],
  files: readonly string[],
): Promise<MutationRun> => {
  const mutants = findAllMutants(root, folders);
  const home = openHome(root, folders);
  const sources = prepareSources(mutants, path.join(home, 'sources'));
  const base = { switches: mutants.all.length, sources, once: true };
  const kept = keptPlaces(root, home, files);
  const coverage = await cover({ root, base: { ...base, journal: path.join(home, 'covered.jsonl') }, kept });
  return { root, mutants, coverage, base: { ...base, journal: path.join(home, 'tried.jsonl') } };
};
