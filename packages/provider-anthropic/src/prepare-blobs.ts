import {
  NotExecuted,
  type BlobPart,
  type Content,
  type GenerationCall,
  type MediaPart,
  type Part,
} from '@tollgate/provider';
import { isTextType } from './media-block.ts';

const blobsOf = ({ contents }: GenerationCall): readonly BlobPart[] =>
  contents.flatMap(({ parts }) => parts.filter((part) => part.kind === 'blob'));

/** Bytes of all blobs of a call. */
export const blobBytesOf = (call: GenerationCall): number =>
  blobsOf(call).reduce((sum, blob) => sum + blob.sizeBytes, 0);

/**
 * Reads the blobs of a call that are text, which is sent as such. Throws only `NotExecuted`: where blobs are too large together, told by
 * their sizes before any is read, or where one cannot be read.
 */
export const prepareBlobs = async (
  call: GenerationCall,
  inlineBytesMax: number,
  signal: AbortSignal,
): Promise<GenerationCall> => {
  const sizeBytes = blobBytesOf(call);
  if (sizeBytes > inlineBytesMax)
    throw new NotExecuted({ reason: 'input_limit', cause: `blobs of ${sizeBytes} bytes are too large to be sent` });
  if (!blobsOf(call).some(({ mimeType }) => isTextType(mimeType))) return call;
  const contents: Content[] = [];
  for (const content of call.contents) {
    const parts: Part[] = [];
    for (const part of content.parts) parts.push(isTextBlob(part) ? await readBeforeSending(part, signal) : part);
    contents.push({ ...content, parts });
  }
  return { ...call, contents };
};

const isTextBlob = (part: Part): part is BlobPart => part.kind === 'blob' && isTextType(part.mimeType);

/** What reading throws means that nothing was sent. */
const readBeforeSending = async (blob: BlobPart, signal: AbortSignal): Promise<MediaPart> => {
  try {
    return await readText(blob, signal);
  } catch (cause) {
    if (signal.aborted) throw new NotExecuted({ reason: 'cancelled', cause: signal.reason });
    throw new NotExecuted({ reason: 'failed', cause });
  }
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
