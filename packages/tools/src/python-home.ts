import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { missingPackage } from '@tollgate/contract/configuration';

/** Where the parts of the sandbox lie on this machine. */
export interface PythonHome {
  /** The interpreter, with a slash at the end. */
  readonly folder: string;
  /** The module that the child starts with; it may load those beside it. */
  readonly script: string;
  /** Where the memory of a started interpreter is kept, whether it is there yet or not. */
  readonly snapshot: string;
}

const require = createRequire(import.meta.url);

/** Finds the installed interpreter. Throws `package_missing` where there is none. */
export const findPyodide = (resolve: (name: string) => string = require.resolve): string => {
  try {
    return path.dirname(realpathSync(resolve('pyodide/package.json')));
  } catch (cause) {
    throw missingPackage('Python for models', 'pyodide', cause);
  }
};

const moduleName = /\.[jt]s$/u;
const testName = /\.test\.ts$/u;

/** In a folder beside this module lies the child's, under the same kind of name in the sources and in the build. */
const childScript = (): string => {
  const name = import.meta.url.endsWith('.ts') ? 'python-child.ts' : 'python-child.js';
  return fileURLToPath(new URL(`./python-child/${name}`, import.meta.url));
};

/** What the child consists of; there is nothing else in that folder. */
const childModules = (script: string): readonly string[] => {
  const folder = path.dirname(script);
  const names = readdirSync(folder).filter((name) => moduleName.test(name) && !testName.test(name));
  return names.toSorted().map((name) => path.join(folder, name));
};

/** A folder that only we can write to: what lies there is run, if only inside the sandbox. */
const ownFolder = (folder: string): string => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const real = realpathSync(folder);
  const { uid, mode } = lstatSync(real);
  const isOurs = process.platform === 'win32' || (uid === userInfo().uid && (mode & 0o022) === 0);
  if (!isOurs) throw new Error(`The cache folder ${real} can be written by others`);
  return real;
};

const defaultFolder = (): string => path.join(tmpdir(), `tollgate-python-${userInfo().uid}`);

/** Finds the parts. The memory's name tells of everything that it depends on, so that an old one is not used. */
export const findPythonHome = (cacheFolder: string = defaultFolder()): PythonHome => {
  const folder = findPyodide();
  const script = realpathSync(childScript());
  const hash = createHash('sha256');
  for (const file of [path.join(folder, 'package.json'), ...childModules(script)]) hash.update(readFileSync(file));
  hash.update(`${folder} ${process.version} ${process.arch}`);
  const snapshot = path.join(ownFolder(cacheFolder), `${hash.digest('hex').slice(0, 32)}.snapshot`);
  return { folder: `${folder}${path.sep}`, script, snapshot };
};

/** Keeps a memory; a reader sees all of it or none. */
export const keepSnapshot = ({ snapshot }: PythonHome, bytes: Uint8Array): void => {
  const draft = `${snapshot}.${randomUUID()}`;
  writeFileSync(draft, bytes, { mode: 0o600 });
  renameSync(draft, snapshot);
};

export const hasSnapshot = ({ snapshot }: PythonHome): boolean => existsSync(snapshot);
