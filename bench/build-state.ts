import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

export interface BuildState {
  /** What the gateway under test runs from. */
  readonly from: 'dist' | 'src';
  /** Flags of Node that make it so. */
  readonly nodeFlags: readonly string[];
  /** Packages whose sources are newer than their build. */
  readonly stale: readonly string[];
}

const newest = (pattern: string, directory: string): number =>
  Math.max(0, ...globSync(pattern, { cwd: directory }).map((file) => statSync(path.join(directory, file)).mtimeMs));

const isStale = (directory: string): boolean =>
  newest('src/**/!(*.test).ts', directory) > newest('dist/**/*.js', directory);

/** Whether every file of a build that the package exports exists. A package may have subpaths alone. */
const isBuilt = (directory: string): boolean =>
  [...readFileSync(path.join(directory, 'package.json'), 'utf8').matchAll(/"\.\/(dist\/[^"]+\.js)"/g)].every(
    ([, file = '']) => existsSync(path.join(directory, file)),
  );

/** The build where every package has one, else the sources. */
export const findBuild = (wanted: 'dist' | 'src' | 'either'): BuildState => {
  const packages = globSync('packages/*/package.json', { cwd: root }).map((file) =>
    path.join(root, path.dirname(file)),
  );
  const built = packages.every(isBuilt);
  if (wanted === 'dist' && !built) throw new Error('the packages are not built; run `npm run build`');
  if (wanted === 'src' || !built) return { from: 'src', nodeFlags: ['--conditions=@tollgate/source'], stale: [] };
  const stale = packages.filter(isStale).map((directory) => path.basename(directory));
  return { from: 'dist', nodeFlags: [], stale };
};
