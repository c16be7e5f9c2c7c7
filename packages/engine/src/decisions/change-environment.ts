import { clashAmong, environmentBounds, isEnvironmentPath } from '@tollgate/contract';
import type { EnvironmentFile, EnvironmentTreeRecord, Key, ResourceRecord, Write } from '@tollgate/storage';
import { areFree, byPath, sumOf, treeKey, type NewEnvironmentFile } from './environment-draft.ts';
import { refuseUsage, usageChange, usageKey, usageOfResource, usageWrites, type Quotas } from './quotas.ts';
import { takeBlobWrites } from './guard-blobs.ts';
import type { Step } from './step.ts';

/** What changes in the files of an environment, whole or not at all. */
export interface ChangeEnvironmentCommand {
  readonly environmentId: string;
  readonly projectId: string;
  readonly quotas: Quotas;
  /** New files and new bytes of files that were there. */
  readonly put: readonly NewEnvironmentFile[];
  /** Paths; one that is gone already is no fault. */
  readonly remove: readonly string[];
  /** Of the tree that was checked. */
  readonly revision: number;
  /** The blobs of that tree that the change leaves without an owner. */
  readonly orphans: readonly string[];
  /** How long the environment can be used from now on. */
  readonly keptMs: number;
}

export type ChangeEnvironmentAnswer =
  | { readonly kind: 'changed' }
  /** Another process changed it meanwhile: read it again. */
  | { readonly kind: 'stale' }
  /** More files, or more bytes, than an environment holds. */
  | { readonly kind: 'too_large' }
  /** More bytes than the project may keep. */
  | { readonly kind: 'over_quota' }
  /** A path that no file can have, or that is a folder of another one. */
  | { readonly kind: 'bad_path' }
  /** It was deleted or has expired; or the bytes have been there for too long. */
  | { readonly kind: 'gone' };

const changeEnvironmentKeys = ({
  environmentId,
  projectId,
  put,
  orphans,
}: ChangeEnvironmentCommand): readonly Key[] => [
  usageKey(projectId),
  { table: 'resource', id: environmentId },
  treeKey(environmentId),
  ...[...new Set([...put.map(({ blobKey }) => blobKey), ...orphans])].map(
    (id) => ({ table: 'pendingBlob', id }) as const,
  ),
];

/** A step that was sent again finds its own blobs in the tree. */
const isDone = ({ files }: EnvironmentTreeRecord, { put }: ChangeEnvironmentCommand): boolean => {
  if (put.length === 0) return false;
  const known = new Set(files.map(({ blobKey }) => blobKey));
  return put.every(({ blobKey }) => known.has(blobKey));
};

/** The blobs of files that a change replaces or removes. */
export const orphansOf = (
  files: readonly EnvironmentFile[],
  { put, remove }: Pick<ChangeEnvironmentCommand, 'put' | 'remove'>,
): readonly string[] => {
  const paths = new Set([...put.map(({ path }) => path), ...remove]);
  return files.filter(({ path }) => paths.has(path)).map(({ blobKey }) => blobKey);
};

const apply = (
  files: readonly EnvironmentFile[],
  { put, remove }: ChangeEnvironmentCommand,
  nowMs: number,
): readonly EnvironmentFile[] => {
  const byName = new Map(files.map((file) => [file.path, file]));
  for (const path of remove) byName.delete(path);
  for (const file of put)
    byName.set(file.path, {
      ...file,
      createdAtMs: byName.get(file.path)?.createdAtMs ?? nowMs,
      modifiedAtMs: nowMs,
    });
  return [...byName.values()].toSorted(byPath);
};

const treeWith = (
  tree: EnvironmentTreeRecord,
  files: readonly EnvironmentFile[],
  nowMs: number,
): EnvironmentTreeRecord => ({
  ...tree,
  files,
  fileCount: files.length,
  sizeBytes: sumOf(files),
  revision: tree.revision + 1,
  updatedAtMs: nowMs,
});

const refuse = (files: readonly EnvironmentFile[], put: readonly NewEnvironmentFile[]) => {
  const { filesMax, treeBytesMax, fileBytesMax } = environmentBounds;
  if (files.length > filesMax || sumOf(files) > treeBytesMax || put.some(({ sizeBytes }) => sizeBytes > fileBytesMax))
    return { kind: 'too_large' } as const;
  const paths = files.map(({ path }) => path);
  if (put.some(({ path }) => !isEnvironmentPath(path)) || clashAmong(paths) !== null)
    return { kind: 'bad_path' } as const;
  return null;
};

const grown = (resource: ResourceRecord, byBytes: number): ResourceRecord =>
  resource.keptBytes === null ? resource : { ...resource, keptBytes: resource.keptBytes + byBytes };

const used = (resource: ResourceRecord, { keptMs }: ChangeEnvironmentCommand, nowMs: number): ResourceRecord => ({
  ...resource,
  owner: null,
  expiresAtMs: nowMs + keptMs,
  dueAtMs: nowMs + keptMs,
  updatedAtMs: nowMs,
});

// environments:states:idle-expiry
/**
 * Changes files of an environment that can be used: new blobs become its own, and old ones ownerless, in one step. A change is a
 * use, which puts its expiry off.
 */
export const changeEnvironment = (command: ChangeEnvironmentCommand): Step<ChangeEnvironmentAnswer> => ({
  keys: changeEnvironmentKeys(command),
  decide: (records, nowMs) => {
    const resource = records.get('resource', command.environmentId);
    const tree = records.get('environmentTree', command.environmentId);
    if (resource?.availability !== 'active' || tree === undefined) return { writes: [], answer: { kind: 'gone' } };
    if (isDone(tree, command)) return { writes: [], answer: { kind: 'changed' } };
    if (tree.revision !== command.revision) return { writes: [], answer: { kind: 'stale' } };
    const files = apply(tree.files, command, nowMs);
    const refused = refuse(files, command.put);
    if (refused !== null) return { writes: [], answer: refused };
    const next = grown(resource, sumOf(files) - tree.sizeBytes);
    const change = usageChange(usageOfResource(resource), usageOfResource(next));
    if (refuseUsage(records.get('projectUsage', tree.projectId), command.quotas, change) !== null)
      return { writes: [], answer: { kind: 'over_quota' } };
    if (!areFree(records, command.put)) return { writes: [], answer: { kind: 'gone' } };
    const taken = takeBlobWrites(
      records,
      command.put.map(({ blobKey }) => blobKey),
    );
    const left = command.orphans.map((id): Write => ({
      kind: 'put',
      table: 'pendingBlob',
      record: { id, owner: null, dueAtMs: nowMs },
    }));
    const writes: readonly Write[] = [
      { kind: 'put', table: 'environmentTree', record: treeWith(tree, files, nowMs) },
      { kind: 'put', table: 'resource', record: used(next, command, nowMs) },
      ...usageWrites(records, tree.projectId, change),
      ...taken,
      ...left,
    ];
    return { writes, answer: { kind: 'changed' } };
  },
});
