import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const run = promisify(execFile);

const packages = readdirSync(path.join(root, 'packages')).filter((directory) =>
  existsSync(path.join(root, 'packages', directory, 'package.json')),
);
const readmes = ['README.md', ...packages.map((directory) => `packages/${directory}/README.md`)];

const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const blocksOf = (text: string): readonly string[] =>
  [...text.matchAll(/^```ts\n(.*?)^```$/gmsu)].map(([, code = '']) => code);

/** The packages that the program of a README imports, without what Node brings along. */
const importedBy = (text: string): readonly string[] =>
  blocksOf(text).flatMap((code) =>
    [...code.matchAll(/ from '(?!node:)((?:@[^/']+\/)?[^/']+)/gu)].map(([, name = '']) => name),
  );

/** Compiles programs as a consumer would write them, against the sources of the packages; returns what is wrong in them. */
const compile = async (programs: ReadonlyMap<string, string>): Promise<readonly string[]> => {
  // Inside the repository, where the packages are found by their names.
  const folder = path.join(root, 'node_modules/.cache/readmes');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [name, code] of programs) await writeFile(path.join(folder, name), code);
  const compilerOptions = { composite: false, noEmit: true, declaration: false, declarationMap: false };
  const options = { ...compilerOptions, emitDeclarationOnly: false, allowImportingTsExtensions: true };
  const config = { extends: '../../../tsconfig.base.json', compilerOptions: options, include: ['.'] };
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  const outcome = await run(process.execPath, [compiler, '-p', folder], { cwd: folder }).catch(
    (cause: unknown) => cause,
  );
  const said = typeof outcome === 'object' && outcome !== null && 'stdout' in outcome ? String(outcome.stdout) : '';
  // What is wrong in a package is for its own type check to say.
  return said.split('\n').filter((line) => [...programs.keys()].some((name) => line.startsWith(`${name}(`)));
};

test.each(packages)(
  'the package %s says what it is, how it is installed and where its documentation is',
  (directory) => {
    const { name } = JSON.parse(textOf(`packages/${directory}/package.json`)) as { readonly name: string };
    const text = textOf(`packages/${directory}/README.md`);
    expect(text.startsWith(`# ${name}\n`)).toBe(true);
    const [, installed = ''] = /^npm install (.+)$/mu.exec(text) ?? [];
    expect(installed.split(' ')[0]).toBe(name);
    expect(blocksOf(text)).toHaveLength(1);
    expect(importedBy(text).filter((imported) => !installed.split(' ').includes(imported))).toEqual([]);
    expect(text).toMatch(/Documentation: .*\(https:\/\//u);
  },
);

test.each(packages)('the package %s carries the licence, which copies of it must', (directory) => {
  expect(textOf(`packages/${directory}/LICENSE`)).toBe(textOf('LICENSE'));
});

test('every link of a README leads somewhere', () => {
  const dead = readmes.flatMap((readme) =>
    [...textOf(readme).matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/gu)]
      .map(([, target = '']) => path.join(path.dirname(readme), target))
      .filter((target) => !existsSync(path.join(root, target))),
  );
  expect(dead).toEqual([]);
});

test('every program of a README compiles', async () => {
  const programs = new Map<string, string>();
  for (const readme of readmes)
    for (const [place, code] of blocksOf(textOf(readme)).entries())
      programs.set(`${readme.replaceAll(/[^A-Za-z0-9]+/gu, '-')}-${place}.ts`, code);
  expect(programs.size).toBeGreaterThan(packages.length);
  // What must be found, so that silence means something.
  programs.set('wrong.ts', `import { serve } from 'tollgate';\nserve('a gateway');\n`);
  expect(await compile(programs)).toEqual([expect.stringMatching(/^wrong\.ts\(2,7\): error TS2345/u)]);
});
