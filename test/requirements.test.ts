import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { routes } from '@tollgate/contract';
import { gatewayCases } from '@tollgate/testing/gateway';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { requirements } from './requirements.ts';
import {
  idsOfTitle,
  listProblems,
  openProblems,
  shownProblems,
  titleProblems,
} from './requirements/check-requirements.ts';
import { readTitles } from './requirements/read-titles.ts';
import type { Requirement } from './requirements/requirement.ts';
import { specIds } from './requirements/spec-ids.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const titlesIn = (pattern: string, exclude: readonly string[] = []): readonly string[] =>
  globSync(pattern, { cwd: root, exclude: ['**/node_modules/**', ...exclude] }).flatMap((path) =>
    readTitles(readFileSync(`${root}${path}`, 'utf8')),
  );
const caseTitles = titlesIn('packages/testing/src/gateway/*-cases.ts');
const testFiles = ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'];
/** Of both commands: `npm test` and `npm run proof`. */
const titles = [...caseTitles, ...testFiles.flatMap((pattern) => titlesIn(pattern))];
/** Of `npm test`, which runs every case of the gateway suite. */
const quickTitles = [...caseTitles, ...testFiles.flatMap((pattern) => titlesIn(pattern, ['**/*.proof.test.ts']))];

const shown = z
  .record(z.string(), z.string())
  .parse(JSON.parse(readFileSync(`${root}test/requirements/shown.json`, 'utf8')));

const rule = { area: 'area', kind: 'spec', source: 'L1', rule: 'A rule.', observe: 'see it' } as const;
const verified = (id: string): Requirement => ({ ...rule, id, status: 'verified' });
const open = (id: string): Requirement => ({ ...rule, id, status: 'open', reason: 'Not yet.', needs: 'POST /later' });

test('lists every rule of the contract once', () => {
  expect(specIds.length).toBe(593);
  expect(listProblems(requirements, specIds)).toEqual([]);
});

test('has a test for every rule that is verified, none for one that is open, and none for no rule', () => {
  expect(titleProblems(requirements, titles)).toEqual([]);
});

test('has a test for every rule that is verified in `npm test` alone', () => {
  expect(quickTitles.length).toBeLessThan(titles.length);
  expect(titleProblems(requirements, quickTitles)).toEqual([]);
});

test('leaves no rule open for what exists', () => {
  const packages = globSync('packages/*/package.json', { cwd: root }).map((path) => `@tollgate/${path.split('/')[1]}`);
  const present = [...routes.map(({ method, path }) => `${method} ${path}`), ...packages];
  expect(present).toContain('POST /chat/completions');
  expect(present).toContain('@tollgate/contract');
  expect(openProblems(requirements, present)).toEqual([]);
});

test('registers every case of the gateway suite that its sources hold', () => {
  const registered = gatewayCases.map(({ title }) => title);
  expect(new Set(registered)).toEqual(new Set(caseTitles.map((title) => title.replaceAll("\\'", "'"))));
  expect(registered.length).toBe(caseTitles.length);
});

test('tells how many rules are verified, and of how many a mutant is noticed by their own tests', () => {
  const count = requirements.filter(({ status }) => status === 'verified').length;
  console.log(
    `requirements: verified ${count} of ${requirements.length}, shown by a mutant ${Object.keys(shown).length}`,
  );
  expect(count).toBeGreaterThan(0);
  expect(shownProblems(requirements, shown, (file) => existsSync(`${root}${file}`))).toEqual([]);
});

test('finds what is missing, twice, unknown or in the wrong area of a list', () => {
  const list = [verified('area:a'), verified('area:a'), verified('area:x'), { ...verified('other:b'), area: 'area' }];
  expect(listProblems(list, ['area:a', 'other:b', 'area:c'])).toEqual([
    'area:a is listed twice',
    'area:x is no rule of the contract',
    'other:b is not of the area area',
    'area:c is not listed',
  ]);
});

test('finds unproven, unknown and early ids in titles', () => {
  const list = [verified('area:a'), verified('area:b'), open('area:c'), open('area:d')];
  const planted = ['one [area:a] [area:c]', 'two [area:x]', 'area:b without brackets', 'three [not an id]'];
  expect(titleProblems(list, planted)).toEqual([
    'area:x is named by a test and is no rule',
    'area:b is verified by no test',
    'area:c is open and named by a test: it could be verified already',
  ]);
});

test('finds shown rules that are not verified, and mutants of files that are gone', () => {
  const list = [verified('area:a'), verified('area:b'), open('area:c')];
  const planted = { 'area:a': 'here.ts f: 1 → 2', 'area:b': 'gone.ts f: 1 → 2', 'area:c': 'here.ts f: 1 → 2' };
  expect(shownProblems(list, planted, (file) => file === 'here.ts')).toEqual([
    'area:b is shown by a mutant of gone.ts, which is not there: npm run mutate:requirements',
    'area:c is shown by a mutant and is no verified rule',
  ]);
});

test('finds open rules whose route exists', () => {
  expect(openProblems([verified('area:a'), open('area:b')], ['POST /later'])).toEqual([
    'area:b waits for POST /later, which exists: verify it',
  ]);
  expect(openProblems([open('area:b')], ['GET /later'])).toEqual([]);
});

test('reads ids from titles by their brackets', () => {
  expect(
    idsOfTitle('does this [chat:part:file-state] and that [errors:status:400-invalid-json] [] [x] [a b:c]'),
  ).toEqual(['chat:part:file-state', 'errors:status:400-invalid-json']);
});
