import { foldersAbove } from '@tollgate/contract';
import type { EnvironmentFile } from '@tollgate/storage';

/** What is shown of one file or folder. */
export interface EnvironmentEntry {
  readonly name: string;
  readonly path: string;
  readonly type: 'file' | 'directory';
  /** Of a folder, of all files below it. */
  readonly sizeBytes: number;
  readonly mimeType: string | null;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const fileEntry = ({ path, sizeBytes, mimeType, createdAtMs, modifiedAtMs }: EnvironmentFile): EnvironmentEntry => ({
  name: nameOf(path),
  path,
  type: 'file',
  sizeBytes,
  mimeType,
  createdAtMs,
  modifiedAtMs,
});

/** A folder is as old as its first file, and changed when the last of them was. */
const folderEntries = (files: readonly EnvironmentFile[]): readonly EnvironmentEntry[] => {
  const folders = new Map<string, EnvironmentEntry>();
  for (const file of files)
    for (const path of foldersAbove(file.path)) {
      const known = folders.get(path);
      folders.set(path, {
        name: nameOf(path),
        path,
        type: 'directory',
        sizeBytes: (known?.sizeBytes ?? 0) + file.sizeBytes,
        mimeType: null,
        createdAtMs: Math.min(known?.createdAtMs ?? file.createdAtMs, file.createdAtMs),
        modifiedAtMs: Math.max(known?.modifiedAtMs ?? 0, file.modifiedAtMs),
      });
    }
  return [...folders.values()];
};

/**
 * The entries of a folder by path, the empty path being the root: those directly in it, or all below it. A file has itself alone.
 * Null where there is no such path.
 */
export const environmentEntries = (
  files: readonly EnvironmentFile[],
  path: string,
  recursive: boolean,
): readonly EnvironmentEntry[] | null => {
  const file = files.find((one) => one.path === path);
  if (file !== undefined) return [fileEntry(file)];
  const prefix = path === '' ? '' : `${path}/`;
  const below = files.filter((one) => one.path.startsWith(prefix));
  if (below.length === 0 && path !== '') return null;
  return [...below.map(fileEntry), ...folderEntries(below)]
    .filter((entry) => entry.path.startsWith(prefix))
    .filter((entry) => recursive || !entry.path.slice(prefix.length).includes('/'))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
};
