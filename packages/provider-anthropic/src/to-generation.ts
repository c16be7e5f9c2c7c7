import type { Generation, GenerationEnd, Part } from '@tollgate/provider';

/** A whole answer, of its end and its parts. What an upstream refused in the middle is no answer to be acted on. */
export const toGeneration = (end: GenerationEnd, pieces: readonly Part[]): Generation => {
  const parts = end.finish === 'content_filter' ? [] : pieces;
  return {
    ...end,
    text: parts.map((part) => (part.kind === 'text' && part.thought !== true ? part.text : '')).join(''),
    functionCalls: parts.filter((part) => part.kind === 'function_call'),
    parts,
  };
};
