import { createHash } from 'node:crypto';
import { environmentBounds } from '@tollgate/contract';
import { type EnvironmentFile, oneChunk } from '@tollgate/storage';
import { changeEnvironment, orphansOf, type ChangeEnvironmentAnswer } from '../../decisions/change-environment.ts';
import type { NewEnvironmentFile } from '../../decisions/environment-draft.ts';
import type { Engine } from '../../engine.ts';
import { discardBlob, readBlob, storePendingBlob } from '../../operations/pending-blobs.ts';
import type { LineIds } from '../../ports/line-ids.ts';
import { environmentMimeType } from './environment-mime-type.ts';
import { inGroups } from './in-groups.ts';
import { engineOf } from '../../operations/engine-of.ts';
import { commit } from '../../operations/persist.ts';

/** A file by value. */
export interface EnvironmentBytes {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** What changes in an environment. */
export interface EnvironmentChanges {
  readonly put: readonly EnvironmentBytes[];
  /** Paths. */
  readonly remove: readonly string[];
}

export type EnvironmentChange = Exclude<ChangeEnvironmentAnswer['kind'], 'stale'>;

/** The files of environments, as tools read and change them. */
export interface EnvironmentFiles {
  /** By path; null where there is no such environment, or none that can be used. */
  readonly list: (environmentId: string) => Promise<readonly EnvironmentFile[] | null>;
  /** The bytes of a listed file, in chunks. Throws where another change has replaced or removed it. */
  readonly read: (file: EnvironmentFile) => AsyncIterable<Uint8Array>;
  /** Makes all changes in one step or none: `too_large` and `bad_path` leave everything as it was. */
  readonly change: (environmentId: string, changes: EnvironmentChanges) => Promise<EnvironmentChange>;
}

/** How often a tree that others change at the same time is checked again. */
const looksMax = 10;

const storeFile = async (engine: Engine, { path, bytes }: EnvironmentBytes): Promise<NewEnvironmentFile> => {
  const blobKey = `environments/${engine.newId()}`;
  await storePendingBlob(engine, blobKey, oneChunk(bytes));
  return {
    path,
    blobKey,
    sizeBytes: bytes.length,
    mimeType: environmentMimeType(path),
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
};

/** Deletes those of the blobs that no environment has taken. Does not throw: what is left is the sweep's. */
export const dropEnvironmentFiles = async (
  engine: Engine,
  files: readonly NewEnvironmentFile[],
  ids: LineIds,
): Promise<void> => {
  await inGroups(files, ({ blobKey }) => discardBlob(engine, blobKey, ids));
};

/** Stores files as ownerless blobs, for a step that takes them. Leaves nothing where it throws. */
export const storeEnvironmentFiles = async (
  engine: Engine,
  files: readonly EnvironmentBytes[],
  ids: LineIds,
): Promise<readonly NewEnvironmentFile[]> => {
  const stored: NewEnvironmentFile[] = [];
  try {
    await inGroups(files, async (file) => {
      stored.push(await storeFile(engine, file));
    });
    return stored;
  } catch (cause) {
    await dropEnvironmentFiles(engine, stored, ids);
    throw cause;
  }
};

const findTree = async ({ storage }: Pick<Engine, 'storage'>, id: string) => {
  const records = await storage.read([
    { table: 'resource', id },
    { table: 'environmentTree', id },
  ]);
  return records.get('resource', id)?.availability === 'active' ? (records.get('environmentTree', id) ?? null) : null;
};

/** The files of an environment that can be used, by path, or null. */
export const listEnvironmentFiles = async (engine: Engine, id: string): Promise<readonly EnvironmentFile[] | null> =>
  (await findTree(engine, id))?.files ?? null;

const changeStored = async (
  engine: Engine,
  environmentId: string,
  change: { readonly put: readonly NewEnvironmentFile[]; readonly remove: readonly string[] },
): Promise<EnvironmentChange> => {
  for (let look = 0; look < looksMax; look += 1) {
    const tree = await findTree(engine, environmentId);
    if (tree === null) return 'gone';
    const command = {
      environmentId,
      projectId: tree.projectId,
      quotas: engine.policy.quotas,
      ...change,
      revision: tree.revision,
      orphans: orphansOf(tree.files, change),
      keptMs: engine.limits.environmentIdleMs,
    };
    const answer = await commit(engine, changeEnvironment(command));
    if (answer.kind !== 'stale') return answer.kind;
  }
  throw new Error('an environment is changed by too many at once');
};

const isTooLarge = ({ put }: EnvironmentChanges): boolean =>
  put.length > environmentBounds.filesMax ||
  put.some(({ bytes }) => bytes.length > environmentBounds.fileBytesMax) ||
  put.reduce((sum, { bytes }) => sum + bytes.length, 0) > environmentBounds.treeBytesMax;

/** The engine for the account of an environment. */
const engineOfEnvironment = async (engine: Engine, id: string): Promise<Engine> => {
  if (engine.storage.cells === undefined) return engine;
  const resource = (await engine.storage.read([{ table: 'resource', id }])).get('resource', id);
  return resource === undefined ? engine : engineOf(engine, resource.accountId);
};

const changeFiles = async (
  whole: Engine,
  environmentId: string,
  changes: EnvironmentChanges,
): Promise<EnvironmentChange> => {
  if (isTooLarge(changes)) return 'too_large';
  const engine = await engineOfEnvironment(whole, environmentId);
  const ids = { operationId: environmentId };
  const put = await storeEnvironmentFiles(engine, changes.put, ids);
  let changed = false;
  try {
    const answer = await changeStored(engine, environmentId, { put, remove: changes.remove });
    changed = answer === 'changed';
    return answer;
  } finally {
    if (!changed) await dropEnvironmentFiles(engine, put, ids);
    // What was replaced or removed is ownerless now, and due.
    else engine.signals.workDue.notify();
  }
};

/** The files of the environments of a gateway, for its tools. */
export const environmentFiles = (engine: Engine): EnvironmentFiles => ({
  list: (environmentId) => listEnvironmentFiles(engine, environmentId),
  read: ({ blobKey }) => readBlob(engine, blobKey),
  change: (environmentId, changes) => changeFiles(engine, environmentId, changes),
});
