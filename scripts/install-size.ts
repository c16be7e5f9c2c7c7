// What `npm install tollgate` puts on a disk: only the packages that it needs, from the tarballs, in an empty folder.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { installTarballs } from './install-tarballs.ts';
import { root, type PackedPackage } from './pack-packages.ts';

const packagesMax = 30;
const bytesMax = 25_000_000;

const Manifest = z.object({ dependencies: z.record(z.string(), z.string()).optional() });

const directoryOf = (name: string): string => name.replace('@tollgate/', '');

/** The directories of a package and of all of ours that it depends on. */
const closureOf = (directory: string, found = new Set<string>()): ReadonlySet<string> => {
  if (found.has(directory)) return found;
  found.add(directory);
  const manifest = readFileSync(path.join(root, 'packages', directory, 'package.json'), 'utf8');
  const { dependencies = {} } = Manifest.parse(JSON.parse(manifest));
  for (const name of Object.keys(dependencies)) if (name.startsWith('@tollgate/')) closureOf(directoryOf(name), found);
  return found;
};

export interface InstallSize {
  readonly packages: number;
  /** Of all files together, without what a disk adds for each. */
  readonly bytes: number;
}

const sizeOf = (modules: string): InstallSize => {
  const files = readdirSync(modules, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const isManifest = /node_modules\/(?:@[^/]+\/)?[^/]+$/u;
  return {
    packages: files.filter(({ name, parentPath }) => name === 'package.json' && isManifest.test(parentPath)).length,
    bytes: files.reduce((sum, { name, parentPath }) => sum + statSync(path.join(parentPath, name)).size, 0),
  };
};

/** Installs `tollgate` below a folder and measures it. Throws where it is more than a host should have to take. */
export const measureInstall = (home: string, packed: readonly PackedPackage[]): InstallSize => {
  const wanted = closureOf('tollgate');
  const directory = path.join(home, 'light');
  const tarballs = packed.filter((one) => wanted.has(one.directory)).map(({ tarball }) => tarball);
  installTarballs(directory, tarballs);
  const size = sizeOf(path.join(directory, 'node_modules'));
  if (size.packages > packagesMax) throw new Error(`tollgate installs ${size.packages} packages, of ${packagesMax}`);
  if (size.bytes > bytesMax) throw new Error(`tollgate installs ${size.bytes} bytes, of ${bytesMax}`);
  return size;
};
