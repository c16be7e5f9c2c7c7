import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const run = promisify(execFile);

/** The root of the repository. */
export const root = path.resolve(import.meta.dirname, '..');
const packsAtOnceMax = 2;

const PackedFile = z.object({ filename: z.string(), size: z.number(), entryCount: z.number() });
/** `npm pack --json` returns an array up to npm 11 and an object by package name from npm 12. */
const Packed = z.union([z.array(PackedFile), z.record(z.string(), PackedFile)]);

export interface PackedPackage {
  readonly directory: string;
  /** Absolute path of the tarball. */
  readonly tarball: string;
  readonly sizeBytes: number;
  readonly entryCount: number;
}

const packOne = async (directory: string, destination: string): Promise<PackedPackage> => {
  const target = path.join(destination, directory);
  mkdirSync(target);
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', target], {
    cwd: path.join(root, 'packages', directory),
  });
  const [packed] = Object.values(Packed.parse(JSON.parse(stdout)));
  if (packed === undefined) throw new Error(`npm packed nothing for ${directory}`);
  const { filename, size, entryCount } = packed;
  return { directory, tarball: path.join(target, path.basename(filename)), sizeBytes: size, entryCount };
};

/** Packs every package as it would be published, each in a directory of its own under `destination`. */
export const packPackages = async (destination: string): Promise<readonly PackedPackage[]> => {
  const waiting = readdirSync(path.join(root, 'packages'))
    .filter((directory) => existsSync(path.join(root, 'packages', directory, 'package.json')))
    .values();
  const packed: PackedPackage[] = [];
  // The loops share one iterator, so each package is packed by the next free one.
  const lane = async (): Promise<void> => {
    for (const directory of waiting) packed.push(await packOne(directory, destination));
  };
  await Promise.all(Array.from({ length: packsAtOnceMax }, lane));
  return packed.toSorted((left, right) => left.directory.localeCompare(right.directory));
};
