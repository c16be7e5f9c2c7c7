import type { Generation, GenerationEnd, Part } from '@tollgate/provider';

/** A whole generation of its end and its pieces. */
export const toGeneration = (end: GenerationEnd, pieces: readonly Part[]): Generation => {
  // Refused content is not the answer, however much of it came.
  const parts = end.finish === 'content_filter' ? [] : pieces;
  return {
    ...end,
    text: parts.map((part) => (part.kind === 'text' && part.thought !== true ? part.text : '')).join(''),
    functionCalls: parts.filter((part) => part.kind === 'function_call'),
    parts,
  };
};
