import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { CallPiece } from '@tollgate/provider';

type InputPiece = Extract<LanguageModelV4StreamPart, { type: `tool-input-${'start' | 'delta' | 'end'}` }>;

/** Input of a tool that is being written. */
interface OpenInput {
  readonly name: string;
  /** White space that it began with: input of nothing else becomes an empty object. */
  blank: string;
  hasText: boolean;
}

/** Reads pieces of the input of one answer's calls. */
export type InputReader = (piece: InputPiece) => CallPiece | undefined;

/**
 * Calls that the upstream runs itself are no calls of the client. Input that is not written as JSON is known when it is whole,
 * and so is a second call of an id, which the whole call refuses.
 */
export const createInputReader = (): InputReader => {
  const open = new Map<string, OpenInput>();
  const begun = new Set<string>();
  return (piece) => {
    const { id } = piece;
    if (piece.type === 'tool-input-start') {
      const isOfClient = piece.providerExecuted !== true && piece.inputEncoding !== 'text';
      if (!isOfClient || id === '' || piece.toolName === '' || begun.has(id)) return undefined;
      begun.add(id);
      open.set(id, { name: piece.toolName, blank: '', hasText: false });
      return { kind: 'call_piece', id, name: piece.toolName, arguments: '' };
    }
    const input = open.get(id);
    if (piece.type === 'tool-input-end') open.delete(id);
    if (input === undefined || piece.type === 'tool-input-end' || piece.delta === '') return undefined;
    const text = input.blank + piece.delta;
    input.hasText ||= text.trim() !== '';
    input.blank = input.hasText ? '' : text;
    return input.hasText ? { kind: 'call_piece', id, name: input.name, arguments: text } : undefined;
  };
};
