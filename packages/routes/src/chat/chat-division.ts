import { isRecord } from '@tollgate/contract';
import type { FunctionCallPart, JsonObject, Part } from '@tollgate/provider';
import { chatCitations } from './chat-citations.ts';

/** What one chunk of a chat adds to its message. */
export interface ChatPiece {
  readonly content: string;
  readonly reasoning: string;
  readonly calls: readonly Pick<FunctionCallPart, 'id' | 'name' | 'arguments'>[];
  /** What the content cites, as the dialect writes it. */
  readonly citations: readonly JsonObject[];
}

/**
 * How a message was divided into chunks: for each chunk the characters of its content, or, where it has more than content, the
 * characters of content, the characters of reasoning, the number of calls and, where there are any, the number of citations.
 */
type ChunkSize = number | readonly [content: number, reasoning: number, calls: number, citations?: number];

/** Brackets and the name of a member, which stand around the sizes. */
const framingBytes = 16;

/** What of the parts of a model belongs into a chunk; null where nothing does. Thoughts and citations do not in the contract's form. */
export const pieceOf = (parts: readonly Part[], isOpenai: boolean): ChatPiece | null => {
  let [content, reasoning] = ['', ''];
  const calls: FunctionCallPart[] = [];
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

const sizeOf = ({ content, reasoning, calls, citations }: ChatPiece): ChunkSize => {
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
  isCount(value) || (Array.isArray(value) && (value.length === 3 || value.length === 4) && value.every(isCount));

const parseChunks = (text: string): readonly ChunkSize[] | null => {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value) || !Array.isArray(value['chunks'])) return null;
  const chunks: readonly unknown[] = value['chunks'];
  return chunks.every(isChunkSize) ? chunks : null;
};

/** A message, which is all of its pieces as one, cut into its chunks, and what of its content belongs to none of them; null where the two do not fit together. */
export const divideMessage = (
  division: string,
  message: ChatPiece,
): { readonly pieces: readonly ChatPiece[]; readonly rest: string } | null => {
  const chunks = parseChunks(division);
  if (chunks === null) return null;
  let [text, thought, called, cited] = [0, 0, 0, 0];
  const pieces = chunks.map((chunk): ChatPiece => {
    const [content, reasoning, calls, citations = 0] = typeof chunk === 'number' ? [chunk, 0, 0] : chunk;
    const from = [text, thought, called, cited] as const;
    [text, thought, called, cited] = [text + content, thought + reasoning, called + calls, cited + citations];
    return {
      content: message.content.slice(from[0], text),
      reasoning: message.reasoning.slice(from[1], thought),
      calls: message.calls.slice(from[2], called),
      citations: message.citations.slice(from[3], cited),
    };
  });
  const fits =
    text <= message.content.length &&
    thought === message.reasoning.length &&
    called === message.calls.length &&
    cited === message.citations.length;
  return fits ? { pieces, rest: message.content.slice(text) } : null;
};
