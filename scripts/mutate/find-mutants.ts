import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSources } from '../house/parse-sources.ts';
import { findMutants } from './find-changes.ts';
import { otherThreads } from './targets.ts';
import type { Numbered } from './switch-source.ts';

/** The sources of some folders and every mutant of them, numbered from zero. */
export interface Mutants {
  readonly texts: ReadonlyMap<string, string>;
  readonly all: readonly Numbered[];
}

export const findAllMutants = (root: string, folders: readonly string[]): Mutants => {
  const exclude = ['**/*.test.ts', '**/*.test-d.ts', '**/*.d.ts', ...otherThreads];
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root, exclude })).toSorted();
  const texts = new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')] as const));
  const found = [...parseSources(texts)].flatMap(([file, source]) => findMutants(file, source));
  return { texts, all: found.map((mutant, id) => ({ id, mutant })) };
};
