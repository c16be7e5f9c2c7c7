import { NotExecuted, type BlobPart, type MediaPart } from '@tollgate/provider';
import type { Engine } from '../engine.ts';
import { findFile } from '../files/find-file.ts';
import { toProjectFile } from '../files/project-file.ts';
import { readBlob } from '../operations/pending-blobs.ts';

/** Media of a call as its work keeps them, for whichever process carries it out. */
export type StoredMedia =
  /** Small: base64 inside the record. */
  | { readonly kind: 'inline'; readonly mimeType: string; readonly data: string }
  /** Large: a blob that is guarded until the work has ended. */
  | { readonly kind: 'blob'; readonly mimeType: string; readonly sizeBytes: number; readonly blobKey: string }
  | { readonly kind: 'file'; readonly fileId: string };

/** The blobs among them. */
export const blobKeysOf = (media: readonly StoredMedia[]): readonly string[] =>
  media.flatMap((one) => (one.kind === 'blob' ? [one.blobKey] : []));

const gone = (): NotExecuted => new NotExecuted({ reason: 'invalid_request', cause: new Error('a medium is gone') });

/**
 * Media as a provider takes them. Throws `NotExecuted` where a file has expired meanwhile: nothing has been handed over by then.
 */
export const toMediaPart = async (
  engine: Engine,
  owner: { readonly projectId: string; readonly provider: string },
  media: StoredMedia,
): Promise<MediaPart | BlobPart> => {
  switch (media.kind) {
    case 'inline':
      return { kind: 'media', mimeType: media.mimeType, data: media.data };
    case 'blob': {
      const { mimeType, sizeBytes, blobKey } = media;
      return { kind: 'blob', mimeType, sizeBytes, read: () => readBlob(engine, blobKey) };
    }
    case 'file': {
      const file = await findFile(engine, owner.projectId, media.fileId);
      if (file?.status !== 'active') throw gone();
      const projectFile = toProjectFile(engine, file, owner.provider);
      const { mimeType, sizeBytes, read } = projectFile;
      return { kind: 'blob', mimeType, sizeBytes, read, file: projectFile, filename: file.displayName };
    }
  }
};
