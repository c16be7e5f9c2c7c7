import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { cover, type Coverage } from './cover.ts';
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

const textOf = (file: string): string => readFileSync(file, 'utf8');

/** Changes where a source or a test does, so that what was reached is not asked again for the same texts. */
const fingerprintOf = (root: string, { texts }: Mutants, tests: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const [file, text] of texts) hash.update(file).update(text);
  for (const file of tests) hash.update(file).update(textOf(path.join(root, file)));
  return hash.digest('hex').slice(0, 16);
};

const planOf = (base: MutationRun['base'], files: readonly string[]): Plan => ({
  ...base,
  mode: 'cover',
  files,
  tests: {},
  suspects: [],
});

/** Finds the mutants of some folders and runs some test files once to see which of them each reaches. */
export const openMutationRun = async (
  root: string,
  folders: readonly string[],
  files: readonly string[],
): Promise<MutationRun> => {
  const mutants = findAllMutants(root, folders);
  const home = path.join(root, 'coverage/mutants');
  const folder = path.join(home, fingerprintOf(root, mutants, files));
  const journal = path.join(folder, 'covered.jsonl');
  const isKnown = existsSync(`${journal}.done`);
  if (!isKnown) rmSync(home, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const sources = prepareSources(mutants, path.join(folder, 'sources'));
  const base = { journal, switches: mutants.all.length, sources, once: true };
  const coverage = await cover(root, planOf(base, files), isKnown);
  return { root, mutants, coverage, base: { ...base, journal: path.join(folder, 'tried.jsonl') } };
};
