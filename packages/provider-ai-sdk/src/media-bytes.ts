import { NotExecuted, type BlobPart, type Content, type Part } from '@tollgate/provider';

/** The bytes of blob parts, as base64 text: that is what goes onto the wire. */
export type LoadedMedia = ReadonlyMap<BlobPart, string>;

const blobsOf = (parts: readonly Part[]): readonly BlobPart[] => parts.filter((part) => part.kind === 'blob');

const tooLarge = (bytesMax: number): never => {
  throw new NotExecuted({ reason: 'input_limit', cause: `media of more than ${bytesMax} bytes` });
};

const readBlob = async (part: BlobPart, bytesMax: number): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of part.read()) {
    bytes += chunk.byteLength;
    // The size is a claim, so the bytes are counted, too.
    if (bytes > part.sizeBytes || bytes > bytesMax) tooLarge(bytesMax);
    chunks.push(chunk);
  }
  if (bytes !== part.sizeBytes)
    throw new NotExecuted({ reason: 'invalid_request', cause: 'a blob is not of its size' });
  return Buffer.concat(chunks);
};

/** Reads the blobs of a call, one after the other, before anything is sent. Throws `NotExecuted` where they are too large. */
export const loadMedia = async (contents: readonly Content[], bytesMax: number): Promise<LoadedMedia> => {
  const blobs = contents.flatMap(({ parts }) => blobsOf(parts));
  if (blobs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > bytesMax) tooLarge(bytesMax);
  const loaded = new Map<BlobPart, string>();
  for (const blob of blobs) {
    if (!loaded.has(blob)) loaded.set(blob, (await readBlob(blob, bytesMax)).toString('base64'));
  }
  return loaded;
};
