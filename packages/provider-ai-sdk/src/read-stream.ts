import type { LanguageModelV4StreamPart, SharedV4ProviderMetadata, SharedV4Warning } from '@ai-sdk/provider';
import { UnknownOutcome, type OnCallPiece, type OnParts, type Part } from '@tollgate/provider';
import type { PartReader } from './from-content.ts';
import type { Ending } from './from-result.ts';
import { isCutAtLimit, isUnwritten } from './unwritten-call.ts';
import { createInputReader, type InputReader } from './input-pieces.ts';

export interface StreamWorld {
  readonly reader: PartReader;
  readonly onParts: OnParts;
  readonly onCallPiece: OnCallPiece | undefined;
  readonly onWarnings: (warnings: readonly SharedV4Warning[]) => void;
  /** Called when the model is seen to have made something, shown or not. */
  readonly onContent: () => void;
  /** Called with the id of the answer, where the model tells it. */
  readonly onAnswerId: (id: string) => void;
  readonly signal: AbortSignal;
}

/** An error that an answer carried, to be read by the caller, which knows how far the response had come. */
export class StreamError extends Error {
  readonly code = 'stream_error';

  constructor(cause: unknown) {
    super('the stream carried an error', { cause });
    this.name = 'StreamError';
  }
}

/** Signatures of blocks that have begun, where no piece of the block has carried one yet. */
type Pending = Map<string, SharedV4ProviderMetadata>;

type TextPiece = Extract<
  LanguageModelV4StreamPart,
  { type: `text-${'start' | 'delta' | 'end'}` | `reasoning-${'start' | 'delta' | 'end'}` }
>;

const isTextPiece = (part: LanguageModelV4StreamPart): part is TextPiece =>
  /^(?:text|reasoning)-/.test(part.type) && 'id' in part;

const readTextPiece = (piece: TextPiece, pending: Pending, { reader }: StreamWorld): readonly Part[] => {
  const thought = piece.type.startsWith('reasoning');
  const given = piece.providerMetadata;
  if (piece.type === 'text-start' || piece.type === 'reasoning-start') {
    if (thought) reader.beginThought();
    if (given !== undefined) pending.set(piece.id, given);
    return [];
  }
  const metadata = given ?? pending.get(piece.id);
  pending.delete(piece.id);
  const text = 'delta' in piece ? piece.delta : '';
  return reader.text({ text, thought, metadata });
};

/** What is remembered between the pieces of one stream. */
interface Reading {
  readonly pending: Pending;
  readonly readInput: InputReader;
  /** A call without written arguments: it is whole where the answer goes on, and cut where it ends at its limit. */
  held: readonly Part[];
}

/** What one piece of the stream says: parts of the answer, its end, or nothing. */
const readPiece = (part: LanguageModelV4StreamPart, reading: Reading, world: StreamWorld): readonly Part[] | Ending => {
  if (isTextPiece(part)) return readTextPiece(part, reading.pending, world);
  switch (part.type) {
    case 'finish':
      return part;
    case 'error':
      throw new StreamError(part.error);
    case 'response-metadata':
      if (part.id !== undefined) world.onAnswerId(part.id);
      return [];
    case 'stream-start':
      world.onWarnings(part.warnings);
      return [];
    case 'tool-call':
    case 'tool-result':
    case 'file':
    case 'reasoning-file':
    case 'source':
    case 'custom':
    case 'tool-approval-request':
      return world.reader.read(part);
    // The whole call follows, as `tool-call`.
    case 'tool-input-start':
    case 'tool-input-delta':
    case 'tool-input-end': {
      const piece = reading.readInput(part);
      if (piece !== undefined) world.onCallPiece?.(piece);
      return [];
    }
    case 'ping':
    case 'raw':
      return [];
  }
};

/** What can be handed over after a piece, with what was held back before it. */
const settleHeld = (reading: Reading, piece: LanguageModelV4StreamPart, read: readonly Part[]): readonly Part[] => {
  const isCut = piece.type === 'finish' && isCutAtLimit(piece.finishReason);
  if (read.length === 0 && piece.type !== 'finish') return [];
  const released = isCut ? [] : reading.held;
  reading.held = piece.type === 'tool-call' && isUnwritten(piece) ? read : [];
  return reading.held.length > 0 ? released : [...released, ...read];
};

const isEnding = (read: readonly Part[] | Ending): read is Ending => !Array.isArray(read);

/** Pieces that come before the upstream has begun to answer. */
const silent: ReadonlySet<string> = new Set(['stream-start', 'ping', 'raw', 'error']);

const readToEnd = async (
  next: () => Promise<{ readonly value?: LanguageModelV4StreamPart | undefined }>,
  world: StreamWorld,
): Promise<Ending | undefined> => {
  const reading: Reading = { pending: new Map(), readInput: createInputReader(), held: [] };
  let ending: Ending | undefined;
  // A stream that has ended has no value.
  for (let { value } = await next(); value !== undefined; { value } = await next()) {
    if (world.signal.aborted) throw new UnknownOutcome('aborted');
    if (!silent.has(value.type)) world.onContent();
    const read = readPiece(value, reading, world);
    if (isEnding(read)) ending = read;
    const parts = settleHeld(reading, value, isEnding(read) ? [] : read);
    if (parts.length > 0) world.onParts(parts);
  }
  return ending;
};

/** Reads a stream to its end and hands the parts over as they come. Rejects where it carries an error or does not finish. */
export const readStream = async (
  stream: ReadableStream<LanguageModelV4StreamPart>,
  world: StreamWorld,
): Promise<Ending> => {
  const reader = stream.getReader();
  // A stream that failed has nothing to cancel any more, and says so by rejecting.
  const cancel = (): void => void reader.cancel().catch(() => {});
  world.signal.addEventListener('abort', cancel, { once: true });
  try {
    const ending = await readToEnd(async () => reader.read(), world);
    if (ending === undefined) throw new UnknownOutcome('interrupted');
    return ending;
  } finally {
    cancel();
  }
};
