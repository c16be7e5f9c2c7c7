import type { GenerationCall, Part } from '@tollgate/provider';
import { checkBlobBytes, inlineTexts } from '@tollgate/provider-http';

const isPlainText = (mimeType: string): boolean => /^text\/plain\s*(;|$)/i.test(mimeType);

/** Whether there are blobs. Throws `NotExecuted` where they are too large together. */
export const checkParts = (parts: readonly Part[], inlineBytesMax: number): boolean => {
  checkBlobBytes(parts, inlineBytesMax);
  return parts.some(({ kind }) => kind === 'blob');
};

/** Whether the call has blobs, as `checkParts` says. */
export const checkBlobs = ({ contents }: GenerationCall, inlineBytesMax: number): boolean =>
  checkParts(
    contents.flatMap(({ parts }) => parts),
    inlineBytesMax,
  );

/** Reads the blobs that are plain text, which is sent as such. Throws only `NotExecuted`. */
export const inlinePlainTexts = (call: GenerationCall, signal: AbortSignal): Promise<GenerationCall> =>
  inlineTexts(call, isPlainText, signal);
