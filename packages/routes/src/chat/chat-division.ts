import { isRecord } from '@tollgate/contract';
import type { JsonObject, Part } from '@tollgate/provider';
import type { WrittenCall } from '../call-order.ts';
import { chatCitations } from './chat-citations.ts';

/** What one chunk of a chat adds to its message. */
export interface ChatPiece {
  readonly content: string;
  readonly reasoning: string;
  /** Calls with all of their arguments. */
  readonly calls: readonly WrittenCall[];
  /** What the content cites, as the dialect writes it. */
  readonly citations: readonly JsonObject[];
  /** What it adds to a call that is sent while the model writes it; such a chunk has nothing else. */
  readonly callText?: CallText;
}

/** A call that begins, or goes on, with some of its arguments. */
export interface CallText {
  readonly begins: Pick<WrittenCall, 'id' | 'name'> | null;
  readonly text: string;
}

/**
 * How a message was divided into chunks: for each chunk the characters of its content, or, where it has more than content, the
 * characters of content, the characters of reasoning, the number of calls and, where there are any, the number of citations. A
 * fifth number is the characters of arguments of a call in pieces, which begins where the number of calls is 1.
 */
type ChunkSize =
  | number
  | readonly [content: number, reasoning: number, calls: number, citations?: number]
  | readonly [content: number, reasoning: number, calls: number, citations: number, callText: number];

/** Brackets and the name of a member, which stand around the sizes. */
const framingBytes = 16;

/** What of the parts of a model belongs into a chunk; null where nothing does. Thoughts and citations do not in the contract's form. */
export const pieceOf = (parts: readonly Part[], isOpenai: boolean): ChatPiece | null => {
  let [content, reasoning] = ['', ''];
  const calls: WrittenCall[] = [];
  for (const part of parts) {
    if (part.kind === 'function_call') calls.push(part);
    else if (part.kind !== 'text') continue;
    else if (part.thought !== true) content += part.text;
    else if (isOpenai) reasoning += part.text;
  }
  const citations = isOpenai ? chatCitations(parts) : [];
  const isEmpty = content === '' && reasoning === '' && calls.length === 0 && citations.length === 0;
  return isEmpty ? null : { content, reasoning, calls, citations };
};

const sizeOf = ({ content, reasoning, calls, citations, callText }: ChatPiece): ChunkSize => {
  if (callText !== undefined) return [0, 0, callText.begins === null ? 0 : 1, 0, callText.text.length];
  if (citations.length > 0) return [content.length, reasoning.length, calls.length, citations.length];
  return reasoning === '' && calls.length === 0 ? content.length : [content.length, reasoning.length, calls.length];
};

/** Notes how a message is divided while it is sent. */
export interface ChatDivisionRecorder {
  add(piece: ChatPiece): void;
  /** As it is stored; null where there were no chunks, or more of them than are noted. */
  encode(): string | null;
}

export const createChatDivision = (bytesMax: number): ChatDivisionRecorder => {
  const chunks: ChunkSize[] = [];
  let bytes = framingBytes;
  return {
    add: (piece) => {
      if (bytes > bytesMax) return;
      const size = sizeOf(piece);
      chunks.push(size);
      bytes += JSON.stringify(size).length + 1;
      if (bytes > bytesMax) chunks.length = 0;
    },
    encode: () => (chunks.length === 0 ? null : JSON.stringify({ chunks })),
  };
};

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const isChunkSize = (value: unknown): value is ChunkSize =>
  isCount(value) || (Array.isArray(value) && value.length >= 3 && value.length <= 5 && value.every(isCount));

const parseChunks = (text: string): readonly ChunkSize[] | null => {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value) || !Array.isArray(value['chunks'])) return null;
  const chunks: readonly unknown[] = value['chunks'];
  return chunks.every(isChunkSize) ? chunks : null;
};

/** A chunk with nothing but a piece of a call. */
export const callPiece = (callText: CallText | null): ChatPiece => ({
  content: '',
  reasoning: '',
  calls: [],
  citations: [],
  ...(callText && { callText }),
});

/** The arguments of one call after another, as chunks take them. */
const createCallCutter = (calls: ChatPiece['calls']) => {
  let used = 0;
  return (called: number, begins: boolean, characters: number): CallText | null => {
    const call = calls[called - 1];
    if (call === undefined) return null;
    const from = begins ? 0 : used;
    used = from + characters;
    if (used > call.arguments.length) return null;
    return { begins: begins ? { id: call.id, name: call.name } : null, text: call.arguments.slice(from, used) };
  };
};

/** A message, which is all of its pieces as one, cut into its chunks, and what of its content belongs to none of them; null where the two do not fit together. */
export const divideMessage = (
  division: string,
  message: ChatPiece,
): { readonly pieces: readonly ChatPiece[]; readonly rest: string } | null => {
  const chunks = parseChunks(division);
  if (chunks === null) return null;
  const cutCall = createCallCutter(message.calls);
  let [text, thought, called, cited] = [0, 0, 0, 0];
  let fits = true;
  const pieces = chunks.map((chunk): ChatPiece => {
    const [content, reasoning, calls, citations = 0, callChars] = typeof chunk === 'number' ? [chunk, 0, 0] : chunk;
    const from = [text, thought, called, cited] as const;
    [text, thought, called, cited] = [text + content, thought + reasoning, called + calls, cited + citations];
    if (callChars !== undefined) {
      const callText = cutCall(called, calls === 1, callChars);
      fits &&= callText !== null;
      return callPiece(callText);
    }
    return {
      content: message.content.slice(from[0], text),
      reasoning: message.reasoning.slice(from[1], thought),
      calls: message.calls.slice(from[2], called),
      citations: message.citations.slice(from[3], cited),
    };
  });
  fits &&=
    text <= message.content.length &&
    thought === message.reasoning.length &&
    called === message.calls.length &&
    cited === message.citations.length;
  return fits ? { pieces, rest: message.content.slice(text) } : null;
};
