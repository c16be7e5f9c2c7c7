// npm run api [-- --write]: what each entry point exports, as its declarations say it, in etc/<package>.api.md. A change of it is seen in
// review; a report that is not up to date fails. Reads what `npm run build` made.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Node } from 'typescript/unstable/ast';
import { API, SymbolFlags, type Project, type Symbol as Exported } from 'typescript/unstable/sync';
import { z } from 'zod';
import { root } from './pack-packages.ts';

const reports = path.join(root, 'etc');
const cache = path.join(root, 'node_modules/.cache/api');
const Manifest = z.object({
  name: z.string(),
  exports: z.record(z.string(), z.union([z.string(), z.object({ types: z.string() })])),
});

interface Entry {
  /** As a host imports it. */
  readonly specifier: string;
  readonly declarations: string;
}

interface PublishedPackage {
  readonly directory: string;
  readonly entries: readonly Entry[];
}

const readPackage = (directory: string): PublishedPackage => {
  const home = path.join(root, 'packages', directory);
  const { name, exports: exported } = Manifest.parse(JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')));
  const entries = Object.entries(exported).flatMap(([key, target]) =>
    typeof target === 'string'
      ? []
      : [{ specifier: path.posix.join(name, key), declarations: path.join(home, target.types) }],
  );
  return { directory, entries };
};

/** The package that a file of declarations belongs to. */
const packageOf = (file: string): string =>
  /\/packages\/([^/]+)\/dist\//u.exec(file)?.[1] ?? /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/u.exec(file)?.[1] ?? file;

/** The text of a declaration without comments, which say the same in many words. */
const textOf = (node: Node): string =>
  node
    .getSourceFile()
    .text.slice(node.pos, node.end)
    .replaceAll(/\/\*[\s\S]*?\*\//gu, '')
    .replaceAll(/^\s*\n/gmu, '')
    .trim();

const reportOf = (project: Project, directory: string, name: string, symbol: Exported): string => {
  const origin = (symbol.flags & SymbolFlags.Alias) === 0 ? symbol : project.checker.getAliasedSymbol(symbol);
  const [first] = origin.declarations;
  const from = packageOf(first?.path ?? '');
  if (from !== directory) return `${name}, of ${from}`;
  return origin.declarations
    .flatMap((handle) => handle.resolve(project) ?? [])
    .map(textOf)
    .join('\n');
};

const entryReport = (project: Project, directory: string, { specifier, declarations }: Entry): string => {
  const source = project.program.getSourceFile(declarations);
  const symbol = source === undefined ? undefined : project.checker.getSymbolAtLocation(source);
  if (symbol === undefined) throw new Error(`${declarations} is missing or exports nothing: run npm run build`);
  const exported = project.checker.getExportsOfModule(symbol).toSorted((one, two) => (one.name < two.name ? -1 : 1));
  const lines = exported.map((one) => reportOf(project, directory, one.name, one));
  return [`## ${specifier}`, '', '```ts', ...lines, '```', ''].join('\n');
};

/** The report of each package by its directory. */
const makeReports = (packages: readonly PublishedPackage[]): ReadonlyMap<string, string> => {
  const files = packages.flatMap(({ entries }) => entries.map(({ declarations }) => declarations));
  const compilerOptions = {
    module: 'nodenext',
    lib: ['es2024', 'esnext.disposable', 'dom'],
    skipLibCheck: true,
    types: [],
  };
  const config = path.join(cache, 'tsconfig.json');
  mkdirSync(cache, { recursive: true });
  writeFileSync(config, JSON.stringify({ compilerOptions, files }));
  const api = new API({ cwd: cache });
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (project === undefined) throw new Error('the compiler opened no project');
    return new Map(
      packages.map(({ directory, entries }) => [
        directory,
        [`# ${directory}`, '', ...entries.map((entry) => entryReport(project, directory, entry))].join('\n'),
      ]),
    );
  } finally {
    api.close();
  }
};

const fileOf = (directory: string): string => path.join(reports, `${directory}.api.md`);
const stored = (directory: string): string =>
  existsSync(fileOf(directory)) ? readFileSync(fileOf(directory), 'utf8') : '';

const directories = readdirSync(path.join(root, 'packages'))
  .filter((directory) => existsSync(path.join(root, 'packages', directory, 'package.json')))
  .toSorted();
const made = makeReports(directories.map(readPackage));
const left = existsSync(reports) ? readdirSync(reports).filter((file) => !made.has(file.replace('.api.md', ''))) : [];
const changed = directories.filter((directory) => stored(directory) !== made.get(directory));

if (process.argv.includes('--write')) {
  mkdirSync(reports, { recursive: true });
  for (const file of left) rmSync(path.join(reports, file));
  for (const directory of changed) writeFileSync(fileOf(directory), made.get(directory) ?? '');
  console.log(`api: ${changed.length} reports written`);
} else if (changed.length + left.length > 0) {
  console.error(`api: ${[...changed, ...left].join(', ')} changed: npm run api -- --write, and look at the change`);
  process.exitCode = 1;
} else {
  console.log(`api: ok, ${made.size} reports`);
}
