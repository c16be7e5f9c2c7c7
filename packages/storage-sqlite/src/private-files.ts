import { closeSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** What is made here is for this user alone: it holds what clients sent, and secrets. SQLite gives its log the mode of the database. */
export const privateFileMode = 0o600;
export const privateFolderMode = 0o700;

const others = 0o077;
const othersEnter = 0o011;
/** Windows has other means, and its modes say nothing. */
const hasModes = process.platform !== 'win32';

/** Makes an empty file where there is none; one that is there stays as it is. */
export const makePrivateFile = (file: string): void => {
  try {
    closeSync(openSync(file, 'ax', privateFileMode));
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause;
  }
};

const modeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mode ?? 0;

/** Those of the paths that other users of this machine can read or change, as far as they and their folders tell. */
export const exposedPaths = (paths: readonly string[]): readonly string[] =>
  paths.filter((path) => hasModes && (modeOf(path) & others) !== 0 && (modeOf(dirname(path)) & othersEnter) !== 0);
