import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rowOf, versionIn } from './client-table.ts';

/** Clients that are too heavy to be installed with the repository; `npm run clients` installs and tries them. */
const manifest = new URL('../../scripts/clients/package.json', import.meta.url);
const { dependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
};
/** What clients are tried with, and are not tried themselves. */
const beside = new Set(['ai', 'zod']);
const tried = Object.keys(dependencies).filter((name) => !beside.has(name));

test.each(tried)('the page has a row for %s, with the version that `npm run clients` installs', (name) => {
  // Earlier versions are installed under names of their own.
  expect(rowOf(name.replace(/^openai-(\d)$/, 'openai@$1'))?.[1]).toBe(versionIn(manifest, name));
});
