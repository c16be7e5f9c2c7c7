// What npm shows of the packages: where they live, links that lead somewhere there, and one version for all.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { versions } from '../packages/create-tollgate/src/versions.ts';

const root = path.resolve(import.meta.dirname, '..');
const textOf = (...parts: readonly string[]): string => readFileSync(path.join(root, ...parts), 'utf8');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly homepage?: string;
  readonly bugs?: string;
  readonly repository?: { readonly type: string; readonly url: string; readonly directory?: string };
  readonly devDependencies?: Readonly<Record<string, string>>;
}
const manifestOf = (...parts: readonly string[]): Manifest => JSON.parse(textOf(...parts, 'package.json')) as Manifest;

const whole = manifestOf();
const directories = readdirSync(path.join(root, 'packages')).filter((directory) =>
  existsSync(path.join(root, 'packages', directory, 'package.json')),
);

test.each(directories)('the package %s says where it lives as all others do', (directory) => {
  const { homepage, bugs, repository, private: isPrivate } = manifestOf('packages', directory);
  expect(isPrivate).toBeUndefined();
  expect({ homepage, bugs, repository }).toEqual({
    homepage: whole.homepage,
    bugs: whole.bugs,
    repository: { ...whole.repository, directory: `packages/${directory}` },
  });
});

/** The file behind an address of the documentation. */
const pageOf = (address: string): string => {
  const page = address.slice(whole.homepage?.length).replace(/#.*$/u, '').replace(/^\//u, '');
  return path.join(root, 'docs', page === '' || page.endsWith('/') ? `${page}index.md` : `${page}.md`);
};

/** Links that lead nowhere on a page of npm, which has the README alone. */
const deadLinks = (readme: string, exists: (page: string) => boolean): readonly string[] =>
  [...readme.matchAll(/\]\(([^)]+)\)/gu)]
    .map(([, target = '']) => target)
    .filter((target) => !target.startsWith('#'))
    .filter((target) =>
      target.startsWith(`${whole.homepage}/`) ? !exists(pageOf(target)) : !target.startsWith('https://'),
    );

test.each(directories)('no link of the README of %s is dead on npm', (directory) => {
  expect(deadLinks(textOf('packages', directory, 'README.md'), existsSync)).toEqual([]);
});

test('a link that is relative or leads to no page is found', () => {
  const readme = `[a](../../docs/hosting.md) [b](${whole.homepage}/hosting) [c](${whole.homepage}/nowhere#x) [d](https://example.com)`;
  expect(deadLinks(readme, existsSync)).toEqual(['../../docs/hosting.md', `${whole.homepage}/nowhere#x`]);
});

test('all packages get one version together', () => {
  const { fixed } = JSON.parse(textOf('.changeset/config.json')) as { readonly fixed: readonly (readonly string[])[] };
  const names = directories.map((directory) => manifestOf('packages', directory).name);
  expect(fixed.map((group) => group.toSorted())).toEqual([names.toSorted()]);
  expect(new Set(directories.map((directory) => manifestOf('packages', directory).version)).size).toBe(1);
});

test('created projects ask for the versions that this repository is tested with', () => {
  const ours = whole.devDependencies ?? {};
  const shared = Object.entries(versions).filter(([name]) => name in ours);
  expect(shared.length).toBeGreaterThan(8);
  expect(Object.fromEntries(shared)).toEqual(Object.fromEntries(shared.map(([name]) => [name, `^${ours[name]}`])));
});
