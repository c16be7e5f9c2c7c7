import type { GenerationCall, Part } from '@tollgate/provider';
import { checkBlobBytes, inlineTexts } from '@tollgate/provider-http';
import { isTextType } from './media-block.ts';

/** The parts of all turns of a call. */
export const partsOf = ({ contents }: GenerationCall): readonly Part[] => contents.flatMap(({ parts }) => parts);

/** Reads the blobs of a call that are text, which is sent as such. Throws only `NotExecuted`. */
export const prepareBlobs = async (
  call: GenerationCall,
  inlineBytesMax: number,
  signal: AbortSignal,
): Promise<GenerationCall> => {
  checkBlobBytes(partsOf(call), inlineBytesMax);
  return inlineTexts(call, isTextType, signal);
};
