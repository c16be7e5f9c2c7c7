import type { CallPiece, FunctionCallPart, Part } from '@tollgate/provider';

/** How many pieces an answer comes in at most, where no more were requested. */
const piecesMax = 1_000;

/** The words of a text, each with the white space behind it; joined they are the text. */
const wordsOf = (text: string): readonly string[] => text.match(/^\s+|\S+\s*/g) ?? [];

/** Splits a text between words, or between characters where more pieces are wanted than it has words. */
const splitText = (text: string, wanted: number | undefined): readonly string[] => {
  const words = wordsOf(text);
  const units = wanted !== undefined && wanted > words.length ? Array.from(text) : words;
  const count = Math.min(wanted ?? piecesMax, units.length);
  return Array.from({ length: count }, (_, index) =>
    units.slice(Math.floor((index * units.length) / count), Math.floor(((index + 1) * units.length) / count)).join(''),
  );
};

/** A call comes in pieces first: that it begins, then its arguments. */
const callPieces = (
  { id, name, arguments: json }: FunctionCallPart,
  wanted: number | undefined,
): readonly CallPiece[] =>
  ['', ...splitText(json, wanted)].map((text) => ({ kind: 'call_piece', id, name, arguments: text }));

/**
 * The pieces in which an answer is handed over: words of its texts and of the arguments of its calls, everything else whole. With
 * a wanted number the visible text, and the arguments of each call, come in so many, or in as many as they have characters.
 */
export const answerPieces = (parts: readonly Part[], wanted?: number): readonly (Part | CallPiece)[] =>
  parts.flatMap((part): readonly (Part | CallPiece)[] => {
    if (part.kind === 'function_call') return [...callPieces(part, wanted), part];
    if (part.kind !== 'text') return [part];
    const texts = splitText(part.text, part.thought === true ? undefined : wanted);
    // What a text cites is known when it has been said.
    const { annotations, ...bare } = part;
    const last = texts.length - 1;
    return texts.map((text, index) =>
      index === last && annotations !== undefined ? { ...bare, text, annotations } : { ...bare, text },
    );
  });
