import {
  asCount,
  asObject,
  asText,
  asUpstreamId,
  parseJson,
  UnknownOutcome,
  type JsonObject,
  type NotExecuted,
  type OnCallPiece,
  type OnParts,
  type UntrustedObject,
} from '@tollgate/provider';
import { createEventDecoder, type EventDecoder, type ServerEvent } from '@tollgate/sse';
import type { AnswerStream, StreamEnd } from '../answer-stream.ts';
import { fromErrorInAnswer } from '../from-openai-error.ts';
import { paragraphBreak, readItems } from './from-items.ts';
import { failureOfResponse } from './from-responses.ts';
import { fromResponsesUsage } from './from-responses-usage.ts';

export interface ResponseStreamOptions {
  readonly onParts: OnParts;
  readonly onCallPiece?: OnCallPiece | undefined;
  /** An event that is larger cannot be read, and leaves the outcome unknown. */
  readonly eventBytesMax: number;
  readonly includeThoughts: boolean;
  /** Cut out of what an upstream says of its errors. */
  readonly apiKey: string | undefined;
}

/** Output items of one response at the most. */
const itemsMax = 4_096;

interface State {
  readonly decoder: EventDecoder;
  readonly options: ResponseStreamOptions;
  /** Items that are whole, by their place in the output. */
  readonly items: Map<number, unknown>;
  /** Calls that are being written, by the id of their item. */
  readonly calls: Map<string, { readonly id: string; readonly name: string }>;
  answerId: string | undefined;
  hasBegun: boolean;
  /** The response as its last event has it. */
  response: UntrustedObject | undefined;
  failure: NotExecuted | UnknownOutcome | undefined;
}

const fail = (state: State, failure: NotExecuted | UnknownOutcome): void => {
  state.failure ??= failure;
};

/** What an upstream says before it began may be certain; after that it has run, and may bill. */
const takeError = (state: State, value: UntrustedObject): void => {
  const body = { error: asObject(value['error']) ?? value };
  const error = fromErrorInAnswer(body, state.options.apiKey) ?? new UnknownOutcome('upstream_error');
  fail(state, state.hasBegun ? new UnknownOutcome('upstream_error', error.cause) : error);
};

const takeText = ({ options }: State, text: string | undefined, isThought: boolean): void => {
  if (text === undefined || text === '') return;
  if (!isThought) options.onParts([{ kind: 'text', text }]);
  else if (options.includeThoughts) options.onParts([{ kind: 'text', text, thought: true }]);
};

const beginItem = (state: State, value: UntrustedObject): void => {
  const item = asObject(value['item']);
  if (item?.['type'] !== 'function_call') return;
  const [itemId, id, name] = [item['id'], item['call_id'], item['name']].map(asText);
  if (itemId === undefined || id === undefined || name === undefined || state.calls.size >= itemsMax) return;
  if ([...state.calls.values()].some((call) => call.id === id)) return;
  state.calls.set(itemId, { id, name });
  state.options.onCallPiece?.({ kind: 'call_piece', id, name, arguments: asText(item['arguments']) ?? '' });
};

const takeArguments = ({ calls, options }: State, value: UntrustedObject): void => {
  const call = calls.get(asText(value['item_id']) ?? '');
  const delta = asText(value['delta']);
  if (call !== undefined && delta !== undefined && delta !== '')
    options.onCallPiece?.({ kind: 'call_piece', ...call, arguments: delta });
};

/** What ends with its item alone, in its place: the state of a thought, and code with its output. */
const isWholeAtOnce = (item: unknown): boolean => {
  const type = asObject(item)?.['type'];
  return type === 'reasoning' || type === 'code_interpreter_call';
};

const handOver = ({ options }: State, item: unknown): void => {
  const { parts } = readItems([item], { includeThoughts: false, newCallId: () => '' });
  if (parts.length > 0) options.onParts(parts);
};

const endItem = (state: State, value: UntrustedObject): void => {
  const item = value['item'];
  const index = asCount(value['output_index']) ?? state.items.size;
  if (state.items.size >= itemsMax) fail(state, new UnknownOutcome('response_too_large'));
  else state.items.set(index, item);
  if (isWholeAtOnce(item)) handOver(state, item);
};

const endResponse = (state: State, response: UntrustedObject): void => {
  state.response = response;
  state.failure = failureOfResponse(response, state.options.apiKey);
};

const takeEvent = (state: State, value: UntrustedObject): void => {
  const response = asObject(value['response']);
  state.answerId ??= asUpstreamId(response?.['id']);
  switch (value['type']) {
    case 'error':
      return takeError(state, value);
    case 'response.completed':
    case 'response.incomplete':
    case 'response.failed':
      return endResponse(state, response ?? {});
    case 'response.output_item.added':
      return beginItem(state, value);
    case 'response.output_item.done':
      return endItem(state, value);
    case 'response.output_text.delta':
      return takeText(state, asText(value['delta']), false);
    case 'response.reasoning_summary_part.added':
      return takeText(state, asCount(value['summary_index']) === 0 ? '' : paragraphBreak, true);
    case 'response.reasoning_summary_text.delta':
    case 'response.reasoning_text.delta':
      return takeText(state, asText(value['delta']), true);
    case 'response.function_call_arguments.delta':
      return takeArguments(state, value);
    default:
      return undefined;
  }
};

const takeData = (state: State, { event, data }: ServerEvent): void => {
  if (data.trim() === '' || data.trim() === '[DONE]') return;
  const value = asObject(parseJson(data));
  // An answer with a hole in it is not the answer.
  if (value === undefined) return fail(state, new UnknownOutcome('unreadable_answer'));
  takeEvent(state, event === 'error' || value['type'] === undefined ? { ...value, type: 'error' } : value);
  if (state.failure === undefined) state.hasBegun = true;
};

const readEvents = (state: State, chunk: Uint8Array): readonly ServerEvent[] => {
  try {
    return state.decoder.push(chunk);
  } catch (cause) {
    fail(state, new UnknownOutcome('response_too_large', cause));
    return [];
  }
};

/** Some servers leave the items out of the last event, as each came with an event of its own. */
const wholeOf = (response: UntrustedObject, items: State['items']): JsonObject => {
  const listed = response['output'];
  if (Array.isArray(listed) && listed.length >= items.size) return response;
  return { ...response, output: [...items].toSorted(([a], [b]) => a - b).map(([, item]) => item) };
};

const conclude = ({ failure, response, items }: State): StreamEnd => {
  if (failure !== undefined) return { kind: 'failed', failure };
  if (response === undefined) return { kind: 'failed', failure: new UnknownOutcome('answer_cut') };
  return { kind: 'whole', body: wholeOf(response, items) };
};

/** Reads one streamed response, and hands its text and the pieces of its calls over as they come. */
export const createResponseStream = (options: ResponseStreamOptions): AnswerStream => {
  const state: State = {
    decoder: createEventDecoder({ eventBytesMax: options.eventBytesMax }),
    options,
    items: new Map(),
    calls: new Map(),
    answerId: undefined,
    hasBegun: false,
    response: undefined,
    failure: undefined,
  };
  const ended = (): boolean => state.response !== undefined || state.failure !== undefined;
  return {
    take: (chunk) => {
      for (const event of readEvents(state, chunk)) if (!ended()) takeData(state, event);
      return ended() ? 'enough' : undefined;
    },
    ended,
    conclude: () => conclude(state),
    answerId: () => state.answerId,
    usageAtLeast: () => fromResponsesUsage(state.response?.['usage'], false),
  };
};
