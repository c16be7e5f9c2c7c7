import type { EnvironmentFile, EnvironmentTreeRecord, Key, OperationRecord, Records, Write } from '@tollgate/storage';
import { areGuarded, takeBlobWrites, type BlobGuard } from './guard-blobs.ts';

/** A file whose bytes lie in a blob without an owner. */
export type NewEnvironmentFile = Omit<EnvironmentFile, 'createdAtMs' | 'modifiedAtMs'>;

/** Order of a tree's files: by code units of their paths, the same everywhere. */
export const byPath = (a: { readonly path: string }, b: { readonly path: string }): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : 0;

export const treeKey = (id: string): Key => ({ table: 'environmentTree', id });

export const treeKeys = (operationId: string, files: readonly NewEnvironmentFile[] | undefined): readonly Key[] =>
  files === undefined
    ? []
    : [
        { ...treeKey(operationId), fresh: true },
        ...files.map(({ blobKey }) => ({ table: 'pendingBlob', id: blobKey }) as const),
      ];

const guardOf = (files: readonly NewEnvironmentFile[]): BlobGuard => ({
  blobKeys: files.map(({ blobKey }) => blobKey),
  keptMs: 0,
});

/** Whether every blob is still without an owner: one that the sweep has taken up is about to go. */
export const areFree = (records: Records, files: readonly NewEnvironmentFile[] = []): boolean =>
  areGuarded(records, guardOf(files));

export const sumOf = (files: readonly EnvironmentFile[]): number =>
  files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

/** The tree of a new environment, in the step that opens it. */
export const treeWrites = (
  records: Records,
  { id, projectId, createdAtMs }: OperationRecord,
  files: readonly NewEnvironmentFile[] | undefined,
): readonly Write[] => {
  if (files === undefined) return [];
  const all = files.map((file) => ({ ...file, createdAtMs, modifiedAtMs: createdAtMs })).toSorted(byPath);
  const record: EnvironmentTreeRecord = {
    id,
    projectId,
    files: all,
    fileCount: all.length,
    sizeBytes: sumOf(all),
    revision: 1,
    updatedAtMs: createdAtMs,
  };
  return [{ kind: 'put', table: 'environmentTree', record }, ...takeBlobWrites(records, guardOf(files).blobKeys)];
};
