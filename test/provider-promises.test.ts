import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { providerCases, providerFaults, providerPromises } from '@tollgate/testing/provider';
import { expect, test } from 'vitest';

const page = readFileSync(fileURLToPath(new URL('../docs/adapters/provider-promises.md', import.meta.url)), 'utf8');
const row = /^\| (P\d+) +\| (.+?) +\|$/gm;
const listed = Object.fromEntries([...page.matchAll(row)].map(([, id, text]) => [id, text]));

/** Checked in every case. */
const everywhere = ['P18', 'P32'];

test('the page lists every promise of a provider in the words of the suite', () => {
  expect(listed).toEqual(providerPromises);
});

test('every promise is proved by a case, and noticed when a provider breaks it', () => {
  const proved = new Set<string>([...providerCases.map(({ promise }) => promise), ...everywhere]);
  expect(Object.keys(providerPromises).filter((id) => !proved.has(id))).toEqual([]);
  const promiseOf = new Map(providerCases.map(({ title, promise }) => [title, promise]));
  const broken = new Set<string | undefined>(
    providerFaults.map(({ failsCase, breaks }) => breaks ?? promiseOf.get(failsCase)),
  );
  expect(Object.keys(providerPromises).filter((id) => !broken.has(id))).toEqual([]);
});
