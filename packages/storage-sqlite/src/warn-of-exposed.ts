import { exposedPaths } from './private-files.ts';

/** Receives the message of a warning, and the paths that it is about. */
export type Warn = (message: string, fields: { readonly paths: readonly string[] }) => void;

const warnProcess: Warn = (message, { paths }) => process.emitWarning(`${message}: ${paths.join(', ')}`);

/** New files are for this user alone; what is there already keeps its mode, which is the host's choice. */
export const warnOfExposed = (file: string, blobsPath: string, warn = warnProcess): void => {
  const paths = exposedPaths([file, `${file}-wal`, `${file}-shm`, blobsPath]);
  if (paths.length > 0) warn('other users of this machine can read what the gateway keeps', { paths });
};
