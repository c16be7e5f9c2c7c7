import { readFileSync } from 'node:fs';
import { identityCases, identityPromises, ledgerCases, ledgerPromises } from '@tollgate/testing/ledger';
import { storageCases, storagePromises } from '@tollgate/testing/storage';
import { expect, test } from 'vitest';

const page = readFileSync(new URL('../docs/adapters/storage-promises.md', import.meta.url), 'utf8');

/** The rows of the page's tables: number, promise and hooks. */
const rows = [...page.matchAll(/^\| (S\d+) +\| (.*?) +\| (.*?) *\|$/gmu)].map(
  ([, number = '', promise = '', hooks = '']) => ({
    number,
    promise,
    hooks: hooks.split(', ').filter((hook) => hook !== ''),
  }),
);

test('the page of promises has every promise of the storage suite, word for word, and no other', () => {
  expect(rows.map(({ number, promise }) => [number, promise])).toEqual(Object.entries(storagePromises));
});

test('every promise of the storage suite has a case', () => {
  const proved = new Set(storageCases.map(({ promise }) => promise));
  expect(Object.keys(storagePromises).filter((number) => !proved.has(number as keyof typeof storagePromises))).toEqual(
    [],
  );
});

test('the page of promises names the hooks that the cases of each promise need', () => {
  for (const { number, hooks } of rows) {
    const needed = storageCases.filter(({ promise }) => promise === number).flatMap(({ needs }) => needs ?? []);
    expect(hooks, number).toEqual([...new Set(needed)].map((hook) => `\`${hook}\``));
  }
});

const ledgerPage = readFileSync(new URL('../docs/adapters/ledger-and-identities.md', import.meta.url), 'utf8');

test.each([
  ['L', ledgerPromises, ledgerCases],
  ['I', identityPromises, identityCases],
] as const)('the page of ledgers has every promise %s, and each has a case', (letter, promises, cases) => {
  const found = [...ledgerPage.matchAll(/^\| ([LI]\d+) +\| (.*?) +\|$/gmu)].map(([, number = '', text = '']) => [
    number,
    text,
  ]);
  expect(found.filter(([number = '']) => number.startsWith(letter))).toEqual(Object.entries(promises));
  expect(new Set(cases.map(({ promise }) => promise))).toEqual(new Set(Object.keys(promises)));
});
