import type { MediaData } from '@tollgate/contract';
import type { BlobPart, MediaPart } from '@tollgate/provider';

/** Checked media as a part of a call: short ones inside it, lifted ones by reference. */
export const mediaPart = (mimeType: string, data: MediaData): MediaPart | BlobPart => {
  if (typeof data === 'string') return { kind: 'media', mimeType, data };
  const { sizeBytes, key, read } = data;
  return { kind: 'blob', mimeType, sizeBytes, ...(key === null ? {} : { blobKey: key }), read };
};
