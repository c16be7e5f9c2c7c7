import type { ProjectFile } from '@tollgate/provider';
import type { FileRecord } from '@tollgate/storage';
import { noteFile } from '../decisions/move-file.ts';
import type { Engine } from '../engine.ts';
import { readBlob } from '../operations/pending-blobs.ts';
import { mediaBlobKey } from './file-blob-key.ts';
import { commit } from '../operations/persist.ts';

/** A file as one provider sees it, with what that provider noted of its copy. */
export const toProjectFile = (engine: Engine, file: FileRecord, provider: string): ProjectFile => {
  const { id, displayName, mimeType, sizeBytes, sha256, expiresAtMs } = file;
  return {
    id,
    displayName,
    mimeType,
    sizeBytes,
    sha256,
    expiresAtMs,
    reference: file.notes[provider] ?? null,
    keepReference: async (reference) => {
      await commit(engine, noteFile(id, provider, reference));
    },
    read: () => readBlob(engine, mediaBlobKey(id)),
  };
};
