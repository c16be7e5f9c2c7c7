import { isLifted, type MediaValue } from '@tollgate/contract';
import type { StoredMedia } from '@tollgate/engine';
import { storedKeyOf } from './media-json/lift-bytes.ts';

/** Checked media as work keeps them: small ones inside its record, large ones where they were lifted to, files by their id. */
export const storedMediaOf = (media: MediaValue): StoredMedia => {
  if (media.kind === 'file') return { kind: 'file', fileId: media.fileId };
  const { mimeType, data } = media;
  if (!isLifted(data)) return { kind: 'inline', mimeType, data };
  return { kind: 'blob', mimeType, sizeBytes: data.sizeBytes, blobKey: storedKeyOf(data) };
};

/** The files of the project among them. */
export const fileIdsOfMedia = (media: readonly MediaValue[]): readonly string[] =>
  media.flatMap((one) => (one.kind === 'file' ? [one.fileId] : []));
