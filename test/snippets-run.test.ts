import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { notRunByName, snippetRuns } from './snippets/snippet-runs.ts';

const root = path.resolve(import.meta.dirname, '..');
const snippets = path.join(root, 'docs/snippets');
const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const rows = snippetRuns.flatMap(({ by, files }) =>
  files.map((row) => {
    const [file, named] = typeof row === 'string' ? [row, `docs/snippets/${row}'`] : row;
    return { by, file, named };
  }),
);

test('every file of docs/snippets is run by a test or script, or has a reason why not', () => {
  const files = readdirSync(snippets, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(snippets, path.join(parentPath, name)));
  const named = new Set([...rows.map(({ file }) => file), ...Object.keys(notRunByName)]);
  expect(files.filter((file) => !named.has(file))).toEqual([]);
  expect([...named].filter((file) => !files.includes(file))).toEqual([]);
  expect(Object.keys(notRunByName).filter((file) => rows.some((row) => row.file === file))).toEqual([]);
});

test('each test or script names the files that it runs', () => {
  const silent = rows.filter(({ by, named }) => !existsSync(path.join(root, by)) || !textOf(by).includes(named));
  expect(silent).toEqual([]);
});

/** The functions and values that a file exports for its page. */
const exportsOf = (file: string): readonly string[] =>
  [...textOf(`docs/snippets/${file}`).matchAll(/^export (?:async )?(?:const|function\*?) (\w+)/gmu)].map(
    ([, name = '']) => name,
  );

test('each function that a page shows is used by a test that runs its file', () => {
  const unused = rows
    .filter(({ file }) => /^(?!hosts\/).*\.ts$/u.test(file))
    .flatMap(({ file }) => {
      const texts = rows.filter((row) => row.file === file).map(({ by }) => textOf(by));
      // Its import alone is one mention.
      const isUsed = (name: string): boolean =>
        texts.some(
          (text) =>
            (text.match(new RegExp(`\\b${name}\\b`, 'gu'))?.length ?? 0) > 1 ||
            new RegExp(`(?:openai|shown)\\.${name}\\b`, 'u').test(text),
        );
      return exportsOf(file).flatMap((name) => (isUsed(name) ? [] : [`${file}: ${name}`]));
    });
  expect([...new Set(unused)]).toEqual([]);
});
