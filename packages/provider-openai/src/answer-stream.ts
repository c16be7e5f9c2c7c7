import {
  parseJson,
  UnknownOutcome,
  type JsonObject,
  type NotExecuted,
  type OnCallPiece,
  type OnParts,
  type TextPart,
  type Usage,
} from '@tollgate/provider';
import { createEventDecoder, type EventDecoder, type ServerEvent } from '@tollgate/sse';
import { fromErrorInAnswer } from './from-openai-error.ts';
import { fromOpenaiUsage } from './from-openai-usage.ts';
import { createStreamedCompletion, type StreamedCompletion } from './streamed-completion.ts';

export interface AnswerStreamOptions {
  readonly onParts: OnParts;
  readonly onCallPiece?: OnCallPiece | undefined;
  /** An event that is larger cannot be read, and leaves the outcome unknown. */
  readonly eventBytesMax: number;
  readonly includeThoughts: boolean;
  /** Cut out of what an upstream says of its errors. */
  readonly apiKey: string | undefined;
}

/** What the events of an answer came to. */
export type StreamEnd =
  | { readonly kind: 'whole'; readonly body: JsonObject }
  | { readonly kind: 'failed'; readonly failure: NotExecuted | UnknownOutcome };

/** Reads one streamed answer and hands its text over as it comes. */
export interface AnswerStream {
  /** Takes bytes of the body; returns `enough` when no more are needed. */
  readonly take: (chunk: Uint8Array) => 'enough' | undefined;
  /** Whether the upstream said that this is all, or that it failed; a connection that is cut afterwards loses nothing. */
  readonly ended: () => boolean;
  /** To be asked when no more bytes come. */
  readonly conclude: () => StreamEnd;
  /** What the upstream calls the answer, where it has said so. */
  readonly answerId: () => string | undefined;
  /** What it has said so far that it used, however the answer goes on. */
  readonly usageAtLeast: () => readonly Usage[];
}

interface State {
  readonly decoder: EventDecoder;
  readonly completion: StreamedCompletion;
  readonly options: AnswerStreamOptions;
  failure: NotExecuted | UnknownOutcome | undefined;
  done: boolean;
}

export const createAnswerStream = (options: AnswerStreamOptions): AnswerStream => {
  const state: State = {
    decoder: createEventDecoder({ eventBytesMax: options.eventBytesMax }),
    completion: createStreamedCompletion(),
    options,
    failure: undefined,
    done: false,
  };
  const ended = (): boolean => state.done || state.failure !== undefined;
  return {
    take: (chunk) => {
      for (const event of readEvents(state, chunk)) if (!ended()) takeEvent(state, event);
      return ended() ? 'enough' : undefined;
    },
    ended,
    conclude: () => conclude(state),
    answerId: state.completion.answerId,
    usageAtLeast: () => fromOpenaiUsage(state.completion.usage(), false),
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

const takeEvent = (state: State, { event, data }: ServerEvent): void => {
  if (data.trim() === '') return;
  if (data.trim() === '[DONE]') {
    state.done = true;
    return;
  }
  const value = parseJson(data);
  // An answer with a hole in it is not the answer.
  if (value === undefined) state.failure = new UnknownOutcome('unreadable_answer');
  else takeChunk(state, event === 'error' ? { error: value } : value);
};

const takeChunk = (state: State, chunk: unknown): void => {
  const { completion, options } = state;
  const error = fromErrorInAnswer(chunk, options.apiKey);
  if (error !== undefined) {
    // What an upstream says before it began may be certain; after that it has run, and may bill.
    state.failure = completion.whole() === undefined ? error : new UnknownOutcome('upstream_error', error.cause);
    return;
  }
  const { text, thought, calls } = completion.add(chunk);
  const parts: TextPart[] = [];
  if (options.includeThoughts && thought !== '') parts.push({ kind: 'text', text: thought, thought: true });
  if (text !== '') parts.push({ kind: 'text', text });
  if (parts.length > 0) options.onParts(parts);
  for (const piece of calls) options.onCallPiece?.(piece);
};

/** Some servers say how an answer ended and close the stream without `[DONE]`. */
const conclude = ({ completion, failure, done }: State): StreamEnd => {
  if (failure !== undefined) return { kind: 'failed', failure };
  const body = completion.whole();
  if (body !== undefined && (done || completion.finished())) return { kind: 'whole', body };
  return { kind: 'failed', failure: new UnknownOutcome('unreadable_answer') };
};
