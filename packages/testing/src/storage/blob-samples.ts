import assert from 'node:assert/strict';
import type { BlobStream, Storage } from '@tollgate/storage';

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The bytes in uneven chunks, the first and the last of them empty. */
export async function* chunksOf(bytes: Uint8Array, chunkBytes = 70_001): AsyncGenerator<Uint8Array> {
  yield new Uint8Array();
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  yield new Uint8Array();
}

/** Chunks that all lie in one buffer, which is filled anew for each. */
export async function* reusing(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(1_000);
  for (let at = 0; at < bytes.length; at += buffer.length) {
    const part = bytes.subarray(at, at + buffer.length);
    buffer.set(part);
    yield buffer.subarray(0, part.length);
    buffer.fill(0);
  }
}

export const patterned = (size: number): Uint8Array =>
  Uint8Array.from({ length: size }, (_, at) => (at * 31 + (at >> 8)) % 256);

export async function* broken(): AsyncGenerator<Uint8Array> {
  yield patterned(600_000);
  throw new Error('the client has left');
}

export const readAll = async (stream: BlobStream | undefined): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream?.chunks ?? []) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** Compared by hand: the difference of long bytes takes an assertion library for ever to print. */
export const assertSame = (found: Uint8Array | undefined, wanted: Uint8Array): void =>
  assert.ok(found !== undefined && Buffer.from(found).equals(wanted), 'the bytes are other ones');

export const textOf = async (storage: Storage, key: string): Promise<string> =>
  Buffer.from((await storage.blobs.get(key)) ?? []).toString();
