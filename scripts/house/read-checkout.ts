import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Texts } from './figure.ts';

/** What is measured, by its paths from the root of the checkout. */
export interface Checkout {
  /** Sources of the packages, without tests. */
  readonly packages: Texts;
  /** Every other source of ours: tests, proofs, scripts, benchmarks, examples, snippets. */
  readonly others: Texts;
  /** Markdown, without decision records, which are not edited, and without changesets. */
  readonly pages: Texts;
}

const roots = ['packages', 'test', 'proof', 'scripts', 'bench', 'examples', 'docs'];
/** Installed, built or written by programs; decision records are not edited. */
const skippedNames = new Set(['node_modules', 'dist', 'coverage']);
const skippedPaths = new Set([
  'bench/peers',
  'docs/api',
  'docs/decisions',
  'docs/reference',
  'docs/public',
  'docs/.vitepress/cache',
]);
/** Holds the words that are looked for. */
const ownWords = new Set(['scripts/house/words.json', 'test/house.test.ts']);

const filesBelow = (root: string, directory: string): readonly string[] =>
  readdirSync(path.join(root, directory), { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(directory, entry.name);
    if (entry.isDirectory())
      return skippedNames.has(entry.name) || skippedPaths.has(file) ? [] : filesBelow(root, file);
    return entry.isFile() ? [file] : [];
  });

const isPackageSource = (file: string): boolean =>
  /^packages\/[^/]+\/src\/.*\.ts$/u.test(file) && !/\.test(?:-d)?\.ts$/u.test(file);

export const readCheckout = (root: string): Checkout => {
  const present = new Set(readdirSync(root));
  const files = [
    ...[...present].filter((name) => name.endsWith('.md')),
    ...roots.filter((directory) => present.has(directory)).flatMap((directory) => filesBelow(root, directory)),
  ].filter((file) => !ownWords.has(file));
  const read = (wanted: (file: string) => boolean): Texts =>
    new Map(files.filter(wanted).map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
  return {
    packages: read(isPackageSource),
    others: read((file) => file.endsWith('.ts') && !isPackageSource(file)),
    pages: read((file) => file.endsWith('.md') && !file.endsWith('CHANGELOG.md')),
  };
};
