import type { FileRecord } from '@tollgate/storage';
import type { AccessIds } from '../decisions/access.ts';
import { createFileStep, type CreateFileAnswer, type CreateFileCommand } from '../decisions/create-file.ts';
import type { Engine } from '../engine.ts';
import { mediaBlobId } from './file-blob-key.ts';
import { findFile } from './find-file.ts';
import { advanceFile } from './process-file.ts';
import { waitAtMost } from './wait-at-most.ts';
import { commit } from '../operations/persist.ts';

/** A file whose bytes lie in the blob store and have no owner yet. */
export interface FileDraft {
  readonly access: AccessIds;
  readonly blobKey: string;
  readonly displayName: string;
  readonly mimeType: string;
  readonly purpose?: string | undefined;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** Whose model the uploading key is bound to, or null; it is given a copy where it wants one. */
  readonly provider: string | null;
  readonly model: string | null;
}

const toCommand = (engine: Engine, { access, blobKey, ...draft }: FileDraft): CreateFileCommand => {
  const { fileKeptMs, fileCopyMs, leaseMs } = engine.limits;
  const copied = draft.provider !== null && engine.host.fileCopies(draft.provider) !== null;
  return {
    ...draft,
    keyId: access.keyId,
    projectId: access.projectId,
    accountId: access.accountId,
    fileId: mediaBlobId(blobKey),
    blobKey,
    provider: copied ? draft.provider : null,
    keptMs: fileKeptMs,
    owner: `${engine.owner}/${mediaBlobId(blobKey)}`,
    leaseMs: fileCopyMs + leaseMs,
    quotas: engine.policy.quotas,
  };
};

/**
 * Makes a file of a pending blob. Its provider is given a copy at once; an upload waits for it for a limited time, and then the sweep
 * and later reads of the file continue. `lost` where the bytes came too late.
 */
export const createFile = async (engine: Engine, draft: FileDraft): Promise<CreateFileAnswer> => {
  const command = toCommand(engine, draft);
  const created = await commit(engine, createFileStep(command));
  if (created.kind !== 'created' || created.file.status !== 'processing') return created;
  const { file } = created;
  await waitAtMost(engine, engine.limits.fileWaitMs, carryOn(engine, file, draft.access.requestId));
  return { kind: 'created', file: (await findFile(engine, file.projectId, file.id)) ?? file };
};

/** Where it cannot be said how far it came, the claim on the row expires and another worker carries on. */
export const carryOn = (engine: Engine, file: FileRecord, requestId: string | undefined): Promise<void> =>
  engine.backgroundTasks.run(async (signal) => {
    try {
      await advanceFile(engine, file, { requestId, signal });
    } catch (cause) {
      engine.logger.error('a file could not be moved on', { requestId, fileId: file.id, cause });
    }
  });
