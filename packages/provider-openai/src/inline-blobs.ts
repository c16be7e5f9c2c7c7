import {
  NotExecuted,
  type BlobPart,
  type Content,
  type GenerationCall,
  type MediaPart,
  type Part,
} from '@tollgate/provider';

export interface InliningOptions {
  /** Of all blobs of one call together. */
  readonly inlineBytesMax: number;
  readonly signal: AbortSignal;
}

/** Puts the bytes of every blob into the call, as chat completions take no reference to them. Throws only `NotExecuted`. */
export const inlineBlobs = async (call: GenerationCall, options: InliningOptions): Promise<GenerationCall> => {
  const blobs = call.contents.flatMap(({ parts }) => parts.filter((part) => part.kind === 'blob'));
  if (blobs.length === 0) return call;
  const sizeBytes = blobs.reduce((sum, blob) => sum + blob.sizeBytes, 0);
  // Told by their sizes, before any of them is read.
  if (sizeBytes > options.inlineBytesMax) {
    throw new NotExecuted({
      reason: 'input_limit',
      cause: `blobs of ${sizeBytes} bytes are too large to be sent inline`,
    });
  }
  const contents: Content[] = [];
  for (const content of call.contents) contents.push({ ...content, parts: await inlineParts(content.parts, options) });
  return { ...call, contents };
};

const inlineParts = async (parts: readonly Part[], options: InliningOptions): Promise<readonly Part[]> => {
  const inlined: Part[] = [];
  // One after another: at no time is more than one of them in memory twice.
  for (const part of parts) inlined.push(part.kind === 'blob' ? await inlineBlob(part, options) : part);
  return inlined;
};

const inlineBlob = async (blob: BlobPart, { signal }: InliningOptions): Promise<MediaPart> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of blob.read()) {
      bytes += chunk.length;
      if (signal.aborted || bytes > blob.sizeBytes) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    throw new NotExecuted({ reason: 'failed', cause });
  }
  if (signal.aborted) throw new NotExecuted({ reason: 'cancelled', cause: signal.reason });
  if (bytes !== blob.sizeBytes) throw new NotExecuted({ reason: 'failed', cause: 'a blob is not as large as it says' });
  return {
    kind: 'media',
    mimeType: blob.mimeType,
    data: Buffer.concat(chunks).toString('base64'),
    ...(blob.filename === undefined ? {} : { filename: blob.filename }),
    ...(blob.detail === undefined ? {} : { detail: blob.detail }),
  };
};
