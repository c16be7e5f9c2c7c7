import type { ProjectFile } from '@tollgate/provider';
import type { FileRecord } from '@tollgate/storage';
import { decideNoteFile, fileKey } from '../decisions/move-file.ts';
import type { Engine } from '../engine.ts';
import { readBlob } from '../pending-blobs.ts';
import { patienceOf, persist } from '../persist.ts';
import { mediaBlobKey } from './file-blob-key.ts';

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
    note: file.notes[provider] ?? null,
    keepNote: async (note) => {
      const step = () => engine.storage.transact(fileKey(id), decideNoteFile(id, provider, note));
      await persist(patienceOf(engine), step);
    },
    read: () => readBlob(engine, mediaBlobKey(id)),
  };
};
