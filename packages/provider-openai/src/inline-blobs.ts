import {
  NotExecuted,
  type BlobPart,
  type Content,
  type GenerationCall,
  type MediaPart,
  type Part,
} from '@tollgate/provider';

const isText = (part: Part): part is BlobPart => part.kind === 'blob' && /^text\/plain\s*(;|$)/i.test(part.mimeType);

/** Whether there are blobs. Throws `NotExecuted` where they are too large together: told by their sizes, before any is read. */
export const checkParts = (parts: readonly Part[], inlineBytesMax: number): boolean => {
  const blobs = parts.filter((part) => part.kind === 'blob');
  const sizeBytes = blobs.reduce((sum, blob) => sum + blob.sizeBytes, 0);
  if (sizeBytes <= inlineBytesMax) return blobs.length > 0;
  throw new NotExecuted({
    reason: 'input_limit',
    cause: `blobs of ${sizeBytes} bytes are too large to be sent inline`,
  });
};

/** Whether the call has blobs, as `checkParts` says. */
export const checkBlobs = ({ contents }: GenerationCall, inlineBytesMax: number): boolean =>
  checkParts(
    contents.flatMap(({ parts }) => parts),
    inlineBytesMax,
  );

const readText = async (blob: BlobPart, signal: AbortSignal): Promise<MediaPart> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of blob.read()) {
    signal.throwIfAborted();
    bytes += chunk.length;
    if (bytes > blob.sizeBytes) break;
    chunks.push(Uint8Array.from(chunk));
  }
  if (bytes !== blob.sizeBytes) throw new Error('a blob is not as large as it says');
  return { kind: 'media', mimeType: blob.mimeType, data: Buffer.concat(chunks).toString('base64') };
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

/** Reads the blobs that are plain text, which is sent as such. Throws only `NotExecuted`. */
export const inlineTexts = async (call: GenerationCall, signal: AbortSignal): Promise<GenerationCall> => {
  const contents: Content[] = [];
  for (const content of call.contents) {
    const parts: Part[] = [];
    for (const part of content.parts) parts.push(isText(part) ? await readBeforeSending(part, signal) : part);
    contents.push({ ...content, parts });
  }
  return { ...call, contents };
};
