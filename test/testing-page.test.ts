// The tests of the page on testing a host are tests: they are run as they stand there.
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { expect, test } from 'vitest';
import { plainPage } from '../docs/.vitepress/llms.ts';
import { importsOf } from '../docs/.vitepress/shown-code.ts';
// It exports nothing: its tests are collected when it is loaded.
// oxlint-disable-next-line import/no-unassigned-import
import '../docs/snippets/testing.ts';

test('the page on testing a host installs what its code imports, and its code needs no other file', () => {
  const page = plainPage(path.resolve(import.meta.dirname, '../docs'), '/testing');
  const installed = new Set([...page.matchAll(/^npm install (.*)$/gmu)].flatMap(([, names = '']) => names.split(' ')));
  const imported = new Set(importsOf(page).map(({ from }) => /^(?:@[^/]+\/)?[^/]+/u.exec(from)?.[0]));
  expect(imported.size).toBeGreaterThan(4);
  const mustBeInstalled = [...imported].filter((name) => name === undefined || !isBuiltin(name));
  expect(mustBeInstalled.filter((name) => name === undefined || !installed.has(name))).toEqual([]);
});
