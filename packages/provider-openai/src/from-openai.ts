import {
  asArray,
  asObject,
  asText,
  generationParts,
  readServedTier,
  UnknownOutcome,
  type FinishReason,
  type FunctionCallPart,
  type Generation,
  type UntrustedObject,
  type Usage,
} from '@tollgate/provider';
import { writeCallContext } from './call-context.ts';
import { readCitations } from './read-citations.ts';
import { fromOpenaiUsage } from './from-openai-usage.ts';

export interface FromOpenaiOptions {
  /** Makes the id of a tool call that the upstream left without one. */
  readonly newCallId: () => string;
  /** The host's estimate for an answer that came whole but without usage; without it such an operation is uncertain. */
  readonly estimateUsage?: ((generation: Generation) => readonly Usage[]) | undefined;
  /** Whether the parts of the answer begin with its reasoning, where the upstream shows it. */
  readonly includeThoughts?: boolean;
  /** Whether the upstream searched, so that the text may cite pages. Such models search once for each answer. */
  readonly hasSearch?: boolean;
}

/**
 * Reads the body of a 2xx answer, tolerantly: servers of this family differ in much. Throws only `UnknownOutcome`, where
 * there is no answer to be found in it.
 */
export const fromOpenai = (body: unknown, options: FromOpenaiOptions): Generation => {
  const answer = asObject(body);
  const choice = asObject(asArray(answer?.['choices'])[0]);
  const message = asObject(choice?.['message']);
  if (answer === undefined || choice === undefined || message === undefined)
    throw new UnknownOutcome('unreadable_answer');
  const finish = readFinish(choice, message);
  const tokens = fromOpenaiUsage(answer['usage'], finish.whole);
  const usage = options.hasSearch === true && tokens.length > 0 ? [...tokens, oneSearch(finish.whole)] : tokens;
  const generation: Generation = {
    // A refusal has no text: what the upstream says of it is not the model's answer.
    text: finish.reason === 'content_filter' ? '' : readText(message['content']),
    functionCalls: finish.reason === 'content_filter' ? [] : readCalls(message, finish.reason, options.newCallId),
    finish: finish.reason,
    usage,
    servedTier: readServedTier(answer['service_tier']),
  };
  const cited = options.hasSearch === true ? withCitations(generation, message) : generation;
  const shown = options.includeThoughts === true ? withThought(cited, message) : cited;
  if (usage.length > 0 || !finish.whole || options.estimateUsage === undefined) return shown;
  return { ...shown, usage: options.estimateUsage(shown) };
};

const oneSearch = (confirmed: boolean): Usage => ({ unit: 'web_search_queries', quantity: 1, confirmed });

const withCitations = (generation: Generation, message: UntrustedObject): Generation => {
  const annotations = readCitations(message['annotations']);
  const { text, functionCalls } = generation;
  if (annotations.length === 0 || text === '') return generation;
  return { ...generation, parts: [{ kind: 'text', text, annotations }, ...functionCalls] };
};

const withThought = (generation: Generation, message: UntrustedObject): Generation => {
  const thought = asText(message['reasoning_content']) ?? asText(message['reasoning']);
  if (thought === undefined || generation.finish === 'content_filter') return generation;
  return { ...generation, parts: [{ kind: 'text', text: thought, thought: true }, ...generationParts(generation)] };
};

interface Finish {
  readonly reason: FinishReason;
  /** False where the upstream was cut off: what it measured up to then is not the whole. */
  readonly whole: boolean;
}

/** Names that servers give to the end of a complete answer. Any other does not say that it is one. */
const completeReasons = new Set([
  'stop',
  'stop_sequence',
  'end_turn',
  'eos',
  'eos_token',
  'tool_calls',
  'tool_use',
  'function_call',
  'complete',
  'completed',
]);
const filteredReasons = new Set(['content_filter', 'safety', 'refusal']);
/** Names that servers give to an answer they did not finish. */
const cutReasons = new Set(['abort', 'error', 'cancelled', 'insufficient_system_resource']);

const readFinish = (choice: UntrustedObject, message: UntrustedObject): Finish => {
  const named = asText(choice['finish_reason'])?.toLowerCase();
  if (named === undefined || cutReasons.has(named)) return { reason: 'length', whole: false };
  const refused = asText(message['refusal']) !== undefined || refusalParts(message['content']);
  if (refused || filteredReasons.has(named)) return { reason: 'content_filter', whole: true };
  return { reason: completeReasons.has(named) ? 'stop' : 'length', whole: true };
};

const refusalParts = (content: unknown): boolean =>
  asArray(content).some((part) => asObject(part)?.['type'] === 'refusal');

/** Visible text only: parts of another type than text (reasoning, for one) are left out. */
export const readText = (content: unknown): string => {
  if (typeof content === 'string') return content;
  return asArray(content)
    .map((value) => {
      const part = asObject(value);
      return part?.['type'] === undefined || part['type'] === 'text' ? (asText(part?.['text']) ?? '') : '';
    })
    .join('');
};

/** A call that was cut before its arguments was never made: it is not one without arguments. */
const isUnwritten = (call: unknown): boolean => {
  const written = asObject(asObject(call)?.['function'])?.['arguments'];
  return written === undefined || (typeof written === 'string' && written.trim() === '');
};

const readCalls = (
  message: UntrustedObject,
  finish: FinishReason,
  newCallId: () => string,
): readonly FunctionCallPart[] => {
  const legacy = asObject(message['function_call']);
  const given = asArray(message['tool_calls']);
  const all = given.length === 0 && legacy !== undefined ? [{ function: legacy }] : given;
  const wire = finish === 'length' ? all.filter((call) => !isUnwritten(call)) : all;
  const ids = new Set<string>();
  const extra: (readonly [string, unknown])[] = [];
  const calls = wire.map((value) => {
    const call = readCall(value, newCallId, ids);
    const extraContent = asObject(value)?.['extra_content'];
    if (asObject(extraContent) !== undefined) extra.push([call.id, extraContent]);
    return call;
  });
  const [first, ...others] = calls;
  const context = first === undefined ? undefined : writeCallContext(message, extra);
  return first === undefined || context === undefined ? calls : [{ ...first, context }, ...others];
};

const readCall = (value: unknown, newCallId: () => string, ids: Set<string>): FunctionCallPart => {
  const call = asObject(value);
  const fn = asObject(call?.['function']);
  const name = asText(fn?.['name']);
  // A call without a name cannot be returned, and leaving it out would change the response.
  if (name === undefined) throw new UnknownOutcome('unreadable_answer');
  const given = asText(call?.['id']);
  // Some servers number the calls of an answer alike; two calls of one id could not be answered apart.
  const id = given === undefined || ids.has(given) ? newCallId() : given;
  ids.add(id);
  return { kind: 'function_call', id, name, arguments: readArguments(fn?.['arguments']) };
};

const readArguments = (value: unknown): string => {
  if (typeof value === 'string') return value.trim() === '' ? '{}' : value;
  return JSON.stringify(asObject(value) ?? {});
};
