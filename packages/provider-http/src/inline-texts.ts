import {
  NotExecuted,
  type BlobPart,
  type Content,
  type GenerationCall,
  type MediaPart,
  type Part,
} from '@tollgate/provider';

/** Bytes of the blobs among parts. */
export const blobBytesOf = (parts: readonly Part[]): number =>
  parts.reduce((sum, part) => (part.kind === 'blob' ? sum + part.sizeBytes : sum), 0);

/** Refuses parts whose blobs are too large together: by their sizes, before any is read. */
export const checkBlobBytes = (parts: readonly Part[], bytesMax: number): void => {
  const sizeBytes = blobBytesOf(parts);
  if (sizeBytes <= bytesMax) return;
  throw new NotExecuted({
    reason: 'input_limit',
    cause: `blobs of ${sizeBytes} bytes are too large to be sent inline`,
  });
};

const readText = async (blob: BlobPart, signal: AbortSignal): Promise<MediaPart> => {
  const { mimeType, filename, cache } = blob;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of blob.read()) {
    signal.throwIfAborted();
    bytes += chunk.length;
    if (bytes > blob.sizeBytes) break;
    chunks.push(Uint8Array.from(chunk));
  }
  if (bytes !== blob.sizeBytes) throw new Error('a blob is not as large as it says');
  const media: MediaPart = { kind: 'media', mimeType, data: Buffer.concat(chunks).toString('base64'), cache };
  return filename === undefined ? media : { ...media, filename };
};

/** What reading throws means that nothing was sent. */
const readBeforeSending = async (blob: BlobPart, signal: AbortSignal): Promise<MediaPart> => {
  try {
    return await readText(blob, signal);
  } catch (cause) {
    if (signal.aborted) throw new NotExecuted({ reason: 'cancelled', cause: signal.reason });
    throw new NotExecuted({ reason: 'failed', cause });
  }
};

/** Reads the blobs of a type that is sent as text, for a wire whose texts stand in the body. Throws only `NotExecuted`. */
export const inlineTexts = async (
  call: GenerationCall,
  isText: (mimeType: string) => boolean,
  signal: AbortSignal,
): Promise<GenerationCall> => {
  const isTextBlob = (part: Part): part is BlobPart => part.kind === 'blob' && isText(part.mimeType);
  if (!call.contents.some(({ parts }) => parts.some(isTextBlob))) return call;
  const contents: Content[] = [];
  for (const content of call.contents) {
    const parts: Part[] = [];
    for (const part of content.parts) parts.push(isTextBlob(part) ? await readBeforeSending(part, signal) : part);
    contents.push({ ...content, parts });
  }
  return { ...call, contents };
};
