import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  declarationProblems,
  exportProblems,
  hostModuleProblems,
  importsOf,
  manifestProblems,
  rankProblems,
  referenceProblems,
  sourceProblems,
  stepProblems,
  type Manifest,
  type Package,
} from './topology.ts';

const root = path.resolve(import.meta.dirname, '..');
const read = (...parts: readonly string[]): string => readFileSync(path.join(root, ...parts), 'utf8');

const readPackage = (directory: string): Package => {
  const home = path.join('packages', directory);
  const paths = readdirSync(path.join(root, home, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.test(?:-d)?\.ts$/u.test(file))
    .map((file) => path.posix.join('src', file.replaceAll(path.sep, '/')));
  const { references } = JSON.parse(read(home, 'tsconfig.json')) as { references: readonly { path: string }[] };
  return {
    manifest: JSON.parse(read(home, 'package.json')) as Manifest,
    sources: paths.map((file) => ({ path: file, text: read(home, file) })),
    buildEntries: Array.from(read(home, 'tsup.config.ts').matchAll(/'(src\/[^']+)'/gu), ([, entry = '']) => entry),
    references: references.map((reference) => reference.path),
  };
};

const directories = readdirSync(path.join(root, 'packages')).filter((directory) =>
  existsSync(path.join(root, 'packages', directory, 'package.json')),
);

const checks = [
  ['depends on lower ranks only', rankProblems],
  ['declares what it imports', declarationProblems],
  ['keeps to the modules of its rank', hostModuleProblems],
  ['follows the rules of style that have no lint rule', sourceProblems],
  ['carries decisions out as steps', stepProblems],
  ['says in its manifest what its siblings say', manifestProblems],
  ['exports what it has, under its own name', exportProblems],
  ['is compiled after what it depends on', referenceProblems],
] as const;

test('finds the packages', () => {
  expect(directories).toEqual(expect.arrayContaining(['contract', 'engine', 'storage-memory', 'testing', 'tollgate']));
});

describe.each(directories)('packages/%s', (directory) => {
  const subject = readPackage(directory);

  test.each(checks)('%s', (_, findProblems) => {
    expect(findProblems(subject)).toEqual([]);
  });
});

/** A package without a fault, with the faults that a case plants. */
const engineWith = (planted: Partial<Package> & { readonly fields?: Partial<Manifest> } = {}): Package => {
  const { fields, ...parts } = planted;
  return {
    manifest: {
      name: '@tollgate/engine',
      type: 'module',
      sideEffects: false,
      files: ['dist', 'src', '!dist/tsconfig.tsbuildinfo', '!src/**/*.test.ts', '!src/**/*.test-d.ts'],
      engines: { node: '>=22.18' },
      exports: { '.': conditions('index'), './package.json': './package.json' },
      dependencies: { '@tollgate/storage': '^0.1.0' },
      ...fields,
    },
    sources: [{ path: 'src/index.ts', text: "import type { Storage } from '@tollgate/storage';\n" }],
    buildEntries: ['src/index.ts'],
    references: ['../storage'],
    ...parts,
  };
};
const conditions = (name: string) => ({
  '@tollgate/source': `./src/${name}.ts`,
  types: `./dist/${name}.d.ts`,
  default: `./dist/${name}.js`,
});
const sourceOf = (text: string, file = 'src/index.ts') => ({ sources: [{ path: file, text }] });
const depending = (name: string, ...targets: readonly string[]): Package =>
  engineWith({ fields: { name, dependencies: Object.fromEntries(targets.map((target) => [target, '^0.1.0'])) } });

test('finds nothing wrong with a package that is right', () => {
  for (const [, findProblems] of checks) expect(findProblems(engineWith())).toEqual([]);
});

describe('the ranks', () => {
  test.each([
    ['@tollgate/contract', '@tollgate/sse'],
    ['@tollgate/storage', '@tollgate/engine'],
    ['@tollgate/engine', '@tollgate/routes'],
    ['@tollgate/routes', '@tollgate/live'],
    ['@tollgate/node', 'tollgate'],
    ['@tollgate/engine', '@tollgate/storage-memory'],
    ['@tollgate/node', '@tollgate/provider-openai'],
    ['@tollgate/storage-sqlite', '@tollgate/engine'],
    ['@tollgate/storage-postgres', '@tollgate/storage-sqlite'],
    ['@tollgate/blobs-s3', '@tollgate/routes'],
    ['@tollgate/storage-sqlite', '@tollgate/provider-http'],
    ['@tollgate/provider-google', '@tollgate/testing'],
    ['tollgate', '@tollgate/testing'],
    ['@tollgate/testing', '@tollgate/storage-memory'],
    ['@tollgate/testing', 'tollgate'],
    ['@tollgate/engine', '@tollgate/unheard-of'],
  ])('refuse that %s depends on %s', (from, to) => {
    expect(rankProblems(depending(from, to))).toEqual([`${from} must not depend on ${to}`]);
  });

  test.each([
    ['@tollgate/storage', ['@tollgate/contract', 'zod']],
    ['@tollgate/live', ['@tollgate/engine', '@tollgate/sse', '@tollgate/cron', '@tollgate/signature']],
    ['@tollgate/provider-ai-sdk', ['@tollgate/contract', '@tollgate/provider', 'undici']],
    ['@tollgate/provider-google', ['@tollgate/provider', '@tollgate/provider-http']],
    ['@tollgate/testing', ['@tollgate/engine', '@tollgate/node']],
    ['tollgate', ['@tollgate/node', '@tollgate/storage-sqlite', '@tollgate/provider-sandbox']],
  ])('allow that %s depends on %j', (from, targets) => {
    expect(rankProblems(depending(from, ...targets))).toEqual([]);
  });

  test('hold for peer and optional dependencies, and not for development', () => {
    const routes = { '@tollgate/routes': '^0.1.0' };
    expect(rankProblems(engineWith({ fields: { peerDependencies: routes } }))).toHaveLength(1);
    expect(rankProblems(engineWith({ fields: { optionalDependencies: routes } }))).toHaveLength(1);
    const developing = { ...engineWith().manifest, devDependencies: { '@tollgate/testing': '^0.1.0' } };
    expect(rankProblems(engineWith({ fields: developing }))).toEqual([]);
  });

  test('are known for every package', () => {
    expect(rankProblems(depending('@tollgate/stray'))).toEqual(['@tollgate/stray has no rank']);
  });
});

describe('the imports', () => {
  test.each([
    ["import a from 'x';", ['x']],
    ["import type { A } from 'x';", ['x']],
    ["import {\n  a,\n  type B,\n} from 'x/y';", ['x/y']],
    ["import * as a from '@s/x/deep';", ['@s/x/deep']],
    ["import 'x';", ['x']],
    ["export { a } from 'x';", ['x']],
    ["export type { A } from './a.ts';", ['./a.ts']],
    ["const a = await import('x');", ['x']],
    ["type A = import('x').A;", ['x']],
    ['import a from "x";', ['x']],
    [" * import { a } from 'x';\n// import 'y';", []],
    ["export const a = Buffer.from('x');\nexport const b = list.from ('y');", []],
    ["export type A = 'from' | 'b';", []],
  ])('of %j are found', (text, specifiers) => {
    expect(importsOf(text)).toEqual(specifiers);
  });

  test.each(["import { z } from 'zod';", "import type { A } from '@tollgate/sse';", "import fs from 'fs';"])(
    'must be declared: %s',
    (text) => {
      expect(declarationProblems(engineWith(sourceOf(text)))).toHaveLength(1);
    },
  );

  test('may be declared, relative or of Node', () => {
    const text = "import './a.ts';\nimport 'node:crypto';\nimport '@tollgate/storage/deep';";
    expect(declarationProblems(engineWith(sourceOf(text)))).toEqual([]);
  });

  test.each(['node:fs', 'node:fs/promises', 'fs', 'node:http', 'node:net', 'node:child_process', 'node:sqlite'])(
    'of the inner ranks must not reach %s',
    (specifier) => {
      const sources = sourceOf(`import { a } from '${specifier}';`);
      expect(hostModuleProblems(engineWith(sources))).toHaveLength(1);
      expect(hostModuleProblems(engineWith({ ...sources, fields: { name: '@tollgate/sse' } }))).toHaveLength(1);
      expect(hostModuleProblems(engineWith({ ...sources, fields: { name: '@tollgate/node' } }))).toEqual([]);
      expect(hostModuleProblems(engineWith({ ...sources, fields: { name: '@tollgate/storage-sqlite' } }))).toEqual([]);
    },
  );

  test('of the inner ranks may reach node:crypto', () => {
    expect(hostModuleProblems(engineWith(sourceOf("import { createHash } from 'node:crypto';")))).toEqual([]);
  });
});

test.each([
  ["export * from './a.ts';", 'src/index.ts'],
  ["export type * from './a.ts';", 'src/index.ts'],
  ["export * as a from './a.ts';", 'src/index.ts'],
  ['// TODO: finish', 'src/index.ts'],
  ['', 'src/utils.ts'],
  ['', 'src/string-helpers.ts'],
  ['', 'src/common/a.ts'],
  ['', 'src/session-manager.ts'],
])('finds the fault of style in %j as %s', (text, file) => {
  expect(sourceProblems(engineWith(sourceOf(text, file)))).toHaveLength(1);
});

test('does not mistake other names for vague ones', () => {
  expect(sourceProblems(engineWith(sourceOf('export {};', 'src/commonplace-utility.ts')))).toEqual([]);
});

test.each([
  ['await engine.storage.transact(keys, decide);', 'src/sweep.ts'],
  ["export { settleKeys } from './decisions/settle.ts';", 'src/decisions.ts'],
  ["export { decideSettle } from './decisions/settle.ts';", 'src/decisions.ts'],
])('finds keys and a decision that travel apart: %s', (text, file) => {
  expect(stepProblems(engineWith(sourceOf(text, file)))).toHaveLength(1);
});

test('lets the file that carries steps out hand them to a storage', () => {
  expect(stepProblems(engineWith(sourceOf('storage.transact(keys, decide);', 'src/persist.ts')))).toEqual([]);
});

test.each<Partial<Manifest>>([
  { type: 'commonjs' },
  { sideEffects: true },
  { engines: { node: '>=20' } },
  { files: ['dist'] },
])('finds that a manifest says %j', (fields) => {
  expect(manifestProblems(engineWith({ fields }))).toHaveLength(1);
});

describe('the exports', () => {
  const { types, default: built } = conditions('index');

  test.each<readonly [string, Readonly<Record<string, unknown>>]>([
    ['lack ./package.json', { '.': conditions('index') }],
    ['lead elsewhere for ./package.json', { '.': conditions('index'), './package.json': './dist/package.json' }],
    ['are a bare path', { '.': './dist/index.js', './package.json': './package.json' }],
    ['lack the source', { '.': { types, default: built }, './package.json': './package.json' }],
    [
      'put the conditions in another order',
      { '.': { types, '@tollgate/source': './src/index.ts', default: built }, './package.json': './package.json' },
    ],
    ['lead to another name', { '.': conditions('main'), './package.json': './package.json' }],
  ])('are refused when they %s', (_, exported) => {
    expect(exportProblems(engineWith({ fields: { exports: exported } }))).toHaveLength(1);
  });

  test('are refused without an entry, and need no index beside another one', () => {
    const onlyManifest = { './package.json': './package.json' };
    expect(exportProblems(engineWith({ fields: { exports: onlyManifest } }))).toHaveLength(1);
    const subpath = { fields: { exports: { ...onlyManifest, './part': conditions('part') } } };
    const sources = [{ path: 'src/part.ts', text: '' }];
    expect(exportProblems(engineWith({ ...subpath, sources, buildEntries: ['src/part.ts'] }))).toEqual([]);
  });

  test('and commands are refused when their source is missing or not built', () => {
    const { exports: exported } = engineWith().manifest;
    const withExtra = { fields: { exports: { ...exported, './extra': conditions('extra') } } };
    const withCommand = { fields: { bin: { engine: './dist/cli.js' } } };
    expect(exportProblems(engineWith(withExtra))).toHaveLength(2);
    expect(exportProblems(engineWith(withCommand))).toHaveLength(2);
    const buildEntries = ['src/index.ts', 'src/cli.ts'];
    expect(exportProblems(engineWith({ ...withCommand, buildEntries }))).toEqual([
      '@tollgate/engine offers src/cli.ts, which does not exist',
    ]);
  });
});

test('finds a project reference too few and one too many', () => {
  expect(referenceProblems(engineWith({ references: [] }))).toEqual([
    '@tollgate/engine lacks the reference ../storage',
  ]);
  expect(referenceProblems(engineWith({ references: ['../storage', '../sse'] }))).toEqual([
    '@tollgate/engine needs no reference ../sse',
  ]);
});
