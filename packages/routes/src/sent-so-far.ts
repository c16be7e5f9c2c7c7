import type { FunctionCallPart, Generation, Part } from '@tollgate/provider';

/** Characters that are kept of an answer whose outcome is lost; the rest of what was sent is left out. */
const sentCharsMax = 1_048_576;

/** What was sent of one answer. */
export interface SentSoFar {
  readonly onStart: (partsSoFar: () => readonly Part[]) => void;
  /** As an answer that was cut off, without a measure; null where nothing was sent. */
  readonly read: () => Generation | null;
}

const withText = (part: Part, take: (text: string) => string): Part => {
  if (part.kind === 'text') return { ...part, text: take(part.text) };
  if (part.kind === 'function_call') return { ...part, arguments: take(part.arguments) };
  return part;
};

/** Texts and calls up to the bound. States of an upstream are left out: nothing goes on from an answer that was cut off. */
const boundedParts = (parts: readonly Part[]): readonly Part[] => {
  let left = sentCharsMax;
  const take = (text: string): string => {
    const taken = text.slice(0, left);
    left -= taken.length;
    return taken;
  };
  return parts.flatMap((part) => {
    if (left === 0 || (part.kind !== 'text' && part.kind !== 'function_call')) return [];
    const { context: _context, ...bare } = part;
    return [withText(bare, take)];
  });
};

const textOf = (part: Part): string => (part.kind === 'text' && part.thought !== true ? part.text : '');

export const createSentSoFar = (): SentSoFar => {
  let partsSoFar: (() => readonly Part[]) | null = null;
  return {
    onStart: (read) => {
      partsSoFar = read;
    },
    read: () => {
      const parts = boundedParts(partsSoFar?.() ?? []);
      if (parts.length === 0) return null;
      const functionCalls = parts.filter((part): part is FunctionCallPart => part.kind === 'function_call');
      return { text: parts.map(textOf).join(''), functionCalls, parts, finish: 'length', usage: [] };
    },
  };
};
