import {
  asObject,
  asText,
  asUpstreamId,
  parseJson,
  UnknownOutcome,
  type Attempt,
  type NotExecuted,
  type OnCallPiece,
  type OnParts,
  type Part,
  type UntrustedObject,
} from '@tollgate/provider';
import { createEventDecoder, type EventDecoder, type ServerEvent } from '@tollgate/sse';
import { endBlock, readDelta, type BlockReader } from './block-reader.ts';
import { isCutAtLimit } from './finish-reason.ts';
import { fromErrorInAnswer } from './from-anthropic-error.ts';
import { readInputQuantities, readQuantities, type Quantities } from './from-anthropic-usage.ts';
import type { AnswerTaker } from './send.ts';
import {
  addDelta,
  createStreamedMessage,
  endMessage,
  openBlockOf,
  startBlock,
  startMessage,
  stopBlock,
  wholeMessage,
  type StreamedMessage,
} from './streamed-message.ts';

export interface AnswerStreamOptions {
  readonly reader: BlockReader;
  readonly onParts: OnParts;
  readonly onCallPiece: OnCallPiece | undefined;
  readonly bytesMax: number;
  /** An event that is larger cannot be read, and leaves the outcome unknown. */
  readonly eventBytesMax: number;
  /** Cut out of what an upstream says of its errors. */
  readonly apiKey: string;
}

/** What the events of a message came to. */
export type StreamEnd =
  | { readonly kind: 'whole'; readonly message: UntrustedObject }
  | { readonly kind: 'failed'; readonly failure: NotExecuted | UnknownOutcome };

/** Reads one streamed message and hands its pieces over as they come. */
export interface AnswerStream extends AnswerTaker {
  /** To be asked when no more bytes come. */
  readonly conclude: () => StreamEnd;
  /** What it has said so far that it used, however the answer goes on. */
  readonly usedAtLeast: () => Quantities;
}

interface State {
  readonly decoder: EventDecoder;
  readonly message: StreamedMessage;
  readonly options: AnswerStreamOptions;
  /** A call without written arguments: it is whole where the message goes on, and cut where it ends at its limit. */
  held: readonly Part[];
  failure: NotExecuted | UnknownOutcome | undefined;
}

export const createAnswerStream = (options: AnswerStreamOptions): AnswerStream => {
  const message = createStreamedMessage();
  const state: State = {
    decoder: createEventDecoder({ eventBytesMax: options.eventBytesMax }),
    message,
    options,
    held: [],
    failure: undefined,
  };
  const ended = (): boolean => message.isStopped || state.failure !== undefined;
  return {
    mediaType: 'text/event-stream',
    bytesMax: options.bytesMax,
    take: (chunk) => {
      for (const event of readEvents(state, chunk)) if (!ended()) takeEvent(state, event);
      return ended() ? 'enough' : undefined;
    },
    ended,
    conclude: () => conclude(state),
    verdict: () => verdictOf(conclude(state)),
    answerId: () => asUpstreamId(message.head?.['id']),
    usedAtLeast: () => (message.isMeasured ? readQuantities(message.usage) : readInputQuantities(message.usage)),
  };
};

const readEvents = (state: State, chunk: Uint8Array): readonly ServerEvent[] => {
  try {
    return state.decoder.push(chunk);
  } catch (cause) {
    state.failure = new UnknownOutcome('response_too_large', cause);
    return [];
  }
};

const takeEvent = (state: State, { data }: ServerEvent): void => {
  if (data.trim() === '') return;
  const event = asObject(parseJson(data));
  // A message with a hole in it is not the message.
  if (event === undefined) state.failure = new UnknownOutcome('unreadable_answer');
  else handOver(state, readEvent(state, event));
};

const handOver = ({ options }: State, parts: readonly Part[]): void => {
  if (parts.length > 0) options.onParts(parts);
};

/** Events of a kind that is not known, such as `ping`, say nothing. */
const readEvent = (state: State, event: UntrustedObject): readonly Part[] => {
  const { message, options } = state;
  const { reader } = options;
  switch (event['type']) {
    case 'message_start':
      startMessage(message, event);
      return [];
    case 'content_block_start':
      startBlock(message, event);
      tellOfCall(state, event, '');
      return [...releaseHeld(state), ...readDelta(reader, textAtStart(event))];
    case 'content_block_delta': {
      const delta = addDelta(message, event);
      tellOfCall(state, event, asText(delta['partial_json']) ?? '');
      return readDelta(reader, delta);
    }
    case 'content_block_stop': {
      const block = stopBlock(message, event);
      if (block === undefined) return [];
      const parts = endBlock(reader, block.whole, block.text);
      if (block.whole['type'] !== 'tool_use' || block.text !== '') return parts;
      state.held = parts;
      return [];
    }
    case 'message_delta':
      endMessage(message, event);
      return [];
    case 'message_stop':
      message.isStopped = true;
      return isCutAtLimit(message.end) ? [] : releaseHeld(state);
    case 'error':
      state.failure = fromErrorInAnswer(event, message.head !== undefined, options.apiKey);
      return [];
    default:
      return [];
  }
};

const releaseHeld = (state: State): readonly Part[] => {
  const { held } = state;
  state.held = [];
  return held;
};

/** Reports what the model has written of a call: its beginning, and each further piece of its arguments. */
const tellOfCall = ({ message, options }: State, event: UntrustedObject, added: string): void => {
  const block = openBlockOf(message, event);
  const id = asText(block?.['id']);
  const name = asText(block?.['name']);
  const isBegun = event['type'] === 'content_block_start';
  if (block?.['type'] !== 'tool_use' || id === undefined || name === undefined || (!isBegun && added === '')) return;
  options.onCallPiece?.({ kind: 'call_piece', id, name, arguments: added });
};

/** A block may begin with text, as a delta would bring it. */
const textAtStart = (event: UntrustedObject): UntrustedObject => {
  const block = asObject(event['content_block']) ?? {};
  return { ...block, type: `${String(block['type'])}_delta` };
};

const verdictOf = (end: StreamEnd): Attempt['outcome'] => {
  if (end.kind === 'whole') return 'answered';
  return end.failure instanceof UnknownOutcome ? 'unknown' : 'refused';
};

/** A message that the upstream did not end is cut, however the connection ended. */
const conclude = (state: State): StreamEnd => {
  const { message } = state;
  const isWhole = message.isStopped && message.head !== undefined && message.open.size === 0;
  if (isWhole) return { kind: 'whole', message: wholeMessage(message) };
  return { kind: 'failed', failure: state.failure ?? failureAtEnd(state) };
};

/** An event that is too large may be found out only when no more bytes come. */
const failureAtEnd = ({ decoder }: State): UnknownOutcome => {
  try {
    decoder.end();
    return new UnknownOutcome('answer_cut');
  } catch (cause) {
    return new UnknownOutcome('response_too_large', cause);
  }
};
