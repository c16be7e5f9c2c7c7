// The page of dependencies stands for what the packages declare and what the lock file installs.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

interface Manifest {
  readonly name?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Locked extends Manifest {
  readonly license?: string;
  readonly hasInstallScript?: boolean;
}

// Files of npm have these forms.
const lock = JSON.parse(read('package-lock.json')) as { readonly packages: Readonly<Record<string, Locked>> };
const manifests = readdirSync(path.join(root, 'packages')).map(
  (folder) => JSON.parse(read(`packages/${folder}/package.json`)) as Manifest,
);

const isOurs = (name: string): boolean => name === 'tollgate' || name.startsWith('@tollgate/');

/** The packages of ours that need another one, by its name. */
const users = new Map<string, string[]>();
for (const { name = '', dependencies, peerDependencies, optionalDependencies } of manifests)
  for (const needed of Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies }))
    if (!isOurs(needed)) users.set(needed, [...(users.get(needed) ?? []), name.replace('@tollgate/', '')]);

/** The entry of the lock file that a package in this place gets by a name. */
const placeOf = (name: string, from: string): string | undefined => {
  const parts = from.split('/node_modules/');
  const folders = parts.map((_, count) => parts.slice(0, parts.length - count).join('/node_modules/'));
  return [...folders.map((folder) => `${folder}/node_modules/${name}`), `node_modules/${name}`].find(
    (place) => place in lock.packages,
  );
};

/** All packages that come with one, itself included. */
const broughtBy = (name: string): readonly string[] => {
  const found = new Set<string>();
  const visit = (wanted: string, from: string): void => {
    const place = placeOf(wanted, from);
    if (place === undefined || found.has(place)) return;
    found.add(place);
    for (const next of Object.keys(lock.packages[place]?.dependencies ?? {})) visit(next, place);
  };
  visit(name, '');
  return [...found];
};

const rows = read('docs/dependencies.md')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', '')),
  );

test('the page has a row for each package that ours need, with who needs it, its licence and what it brings', () => {
  const declared = [...users].map(([name, needing]) => [
    name,
    needing.toSorted().join(', '),
    lock.packages[`node_modules/${name}`]?.license,
    String(broughtBy(name).length - 1),
  ]);
  expect(rows.map((row) => row.slice(0, 4))).toEqual(declared.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)));
});

test('each row says why the package is needed and what it can reach', () => {
  for (const [name = '', , , , why = '', reach = ''] of rows) {
    expect(why.length, name).toBeGreaterThan(20);
    expect(reach.length, name).toBeGreaterThan(3);
  }
});

test('nothing that comes with our packages runs a script when it is installed, and all of it has a free licence', () => {
  const brought = new Set([...users.keys()].flatMap(broughtBy));
  expect(brought.size).toBeGreaterThan(users.size);
  const entries = [...brought].map((place) => ({ place, ...lock.packages[place] }));
  expect(entries.filter(({ hasInstallScript }) => hasInstallScript === true).map(({ place }) => place)).toEqual([]);
  const page = read('docs/dependencies.md');
  const licences = [...new Set(entries.map(({ license }) => license ?? 'none'))].toSorted();
  expect(licences).toEqual(/^Licences of all that they bring: (.+)\.$/mu.exec(page)?.[1]?.split(', '));
});
