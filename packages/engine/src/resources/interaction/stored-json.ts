import { oneChunk } from '@tollgate/storage';
import type { Engine } from '../../engine.ts';
import { storePendingBlob } from '../../operations/pending-blobs.ts';

/** A value that work needs: inside the record where it is small, else in a blob. */
export type StoredJson<T> =
  | { readonly kind: 'inline'; readonly value: T }
  | { readonly kind: 'blob'; readonly blobKey: string; readonly sizeBytes: number };

/** What a record holds of one value at the most. */
const inlineBytesMax = 32_768;

/** Puts a large value aside under a key of its own, as an ownerless blob that is kept so long. */
export const storeJson = async <T>(
  engine: Engine,
  { folder, keptMs }: { readonly folder: string; readonly keptMs: number },
  value: T,
): Promise<StoredJson<T>> => {
  const bytes = Buffer.from(JSON.stringify(value));
  if (bytes.length <= inlineBytesMax) return { kind: 'inline', value };
  const blobKey = `${folder}/${engine.newId()}`;
  await storePendingBlob(engine, blobKey, oneChunk(bytes), keptMs);
  return { kind: 'blob', blobKey, sizeBytes: bytes.length };
};

/** Throws where the blob is gone. */
export const readJson = async <T>(engine: Engine, stored: StoredJson<T>): Promise<T> => {
  if (stored.kind === 'inline') return stored.value;
  const bytes = await engine.storage.blobs.get(stored.blobKey);
  if (bytes === undefined) throw new Error('a blob of an interaction is gone');
  // Sound: `storeJson` alone writes under keys of this kind, and wrote a T there.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(Buffer.from(bytes).toString('utf8')) as T;
};

export const blobKeyOfJson = (stored: StoredJson<unknown>): readonly string[] =>
  stored.kind === 'blob' ? [stored.blobKey] : [];

/** The same of a value that may not be there. */
export const blobKeyOfNote = (stored: StoredJson<unknown> | null | undefined): readonly string[] =>
  stored ? blobKeyOfJson(stored) : [];

export const bytesOfJson = (stored: StoredJson<unknown>): number =>
  stored.kind === 'blob' ? stored.sizeBytes : Buffer.byteLength(JSON.stringify(stored.value));
