import { isRecord } from '@tollgate/contract';
import type { FunctionCallPart, Part } from '@tollgate/provider';

/** What one chunk of a chat adds to its message. */
export interface ChatPiece {
  readonly content: string;
  readonly reasoning: string;
  readonly calls: readonly Pick<FunctionCallPart, 'id' | 'name' | 'arguments'>[];
}

/**
 * How a message was divided into chunks: for each chunk the characters of its content, or, where it has more than content, the
 * characters of content, the characters of reasoning and the number of calls.
 */
type ChunkSize = number | readonly [content: number, reasoning: number, calls: number];

/** Brackets and the name of a member, which stand around the sizes. */
const framingBytes = 16;

/** What of the parts of a model belongs into a chunk; null where nothing does. */
export const pieceOf = (parts: readonly Part[], showsReasoning: boolean): ChatPiece | null => {
  let [content, reasoning] = ['', ''];
  const calls: FunctionCallPart[] = [];
  for (const part of parts) {
    if (part.kind === 'function_call') calls.push(part);
    else if (part.kind !== 'text') continue;
    else if (part.thought !== true) content += part.text;
    else if (showsReasoning) reasoning += part.text;
  }
  return content === '' && reasoning === '' && calls.length === 0 ? null : { content, reasoning, calls };
};

const sizeOf = ({ content, reasoning, calls }: ChatPiece): ChunkSize =>
  reasoning === '' && calls.length === 0 ? content.length : [content.length, reasoning.length, calls.length];

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
  isCount(value) || (Array.isArray(value) && value.length === 3 && value.every(isCount));

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
  let [text, thought, called] = [0, 0, 0];
  const pieces = chunks.map((chunk): ChatPiece => {
    const [content, reasoning, calls] = typeof chunk === 'number' ? [chunk, 0, 0] : chunk;
    const from = [text, thought, called] as const;
    [text, thought, called] = [text + content, thought + reasoning, called + calls];
    return {
      content: message.content.slice(from[0], text),
      reasoning: message.reasoning.slice(from[1], thought),
      calls: message.calls.slice(from[2], called),
    };
  });
  const fits =
    text <= message.content.length && thought === message.reasoning.length && called === message.calls.length;
  return fits ? { pieces, rest: message.content.slice(text) } : null;
};
