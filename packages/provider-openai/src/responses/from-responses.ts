import {
  asArray,
  asObject,
  asText,
  readServedTier,
  UnknownOutcome,
  withUsageAtLeast,
  type FinishReason,
  type Generation,
  type NotExecuted,
  type Part,
  type TextPart,
  type UntrustedObject,
  type Usage,
} from '@tollgate/provider';
import { fromErrorInAnswer } from '../from-openai-error.ts';
import { readItems, type ReadingOptions, type ReadItems } from './from-items.ts';
import { fromResponsesUsage } from './from-responses-usage.ts';

export interface FromResponsesOptions extends ReadingOptions {
  /** Cut out of what an upstream says of its errors. */
  readonly apiKey: string | undefined;
  /** The host's estimate for a response that came whole but without usage; without it such an operation is uncertain. */
  readonly estimateUsage?: ((generation: Generation) => readonly Usage[]) | undefined;
}

/** Nothing came of it and nothing was counted, so that the word of its error is the word of a refusal. */
const isEmpty = ({ output, usage }: UntrustedObject): boolean => asArray(output).length === 0 && usage === null;

/** What became of a response that did not come to its end; undefined for one that did. */
export const failureOfResponse = (
  response: UntrustedObject,
  apiKey: string | undefined,
): NotExecuted | UnknownOutcome | undefined => {
  const status = asText(response['status']);
  if (status === undefined || status === 'completed' || status === 'incomplete') return undefined;
  if (status !== 'failed') return new UnknownOutcome('interrupted');
  const error = fromErrorInAnswer({ error: response['error'] ?? {} }, apiKey);
  return isEmpty(response) && error !== undefined ? error : new UnknownOutcome('upstream_error', error?.cause);
};

const finishOf = (response: UntrustedObject, refused: boolean): FinishReason => {
  if (refused) return 'content_filter';
  if (response['status'] !== 'incomplete') return 'stop';
  const reason = asObject(response['incomplete_details'])?.['reason'];
  return reason === 'content_filter' ? 'content_filter' : 'length';
};

const counted = (tokens: readonly Usage[], { searches, codeRuns }: ReadItems): readonly Usage[] => {
  if (tokens.length === 0) return [];
  const searched: readonly Usage[] =
    searches === 0 ? [] : [{ unit: 'web_search_queries', quantity: searches, confirmed: true }];
  const ran: readonly Usage[] =
    codeRuns === 0 ? [] : [{ unit: 'code_execution_runs', quantity: codeRuns, confirmed: true }];
  return [...tokens, ...searched, ...ran];
};

const isAnswer = (part: Part): part is TextPart => part.kind === 'text' && part.thought !== true;

const generationOf = (response: UntrustedObject, options: FromResponsesOptions): Generation => {
  const items = readItems(response['output'], options);
  const finish = finishOf(response, items.refused);
  // A refusal has no text: what the upstream says of it is not the model's answer.
  const parts = finish === 'content_filter' ? [] : items.parts;
  const text = parts.filter(isAnswer).reduce((joined, part) => joined + part.text, '');
  const usage = counted(fromResponsesUsage(response['usage'], true), items);
  const functionCalls = parts.filter((part) => part.kind === 'function_call');
  return { text, functionCalls, parts, finish, usage, servedTier: readServedTier(response['service_tier']) };
};

/** Reads a response of the upstream, tolerantly. Throws `NotExecuted` only for an error that came in place of a response. */
export const fromResponses = (body: unknown, options: FromResponsesOptions): Generation => {
  const response = asObject(body);
  const usageAtLeast = fromResponsesUsage(response?.['usage'], false);
  if (response === undefined || !Array.isArray(response['output']))
    throw fromErrorInAnswer(body, options.apiKey) ?? new UnknownOutcome('unreadable_answer');
  const failure = failureOfResponse(response, options.apiKey);
  if (failure !== undefined) throw withUsageAtLeast(failure, usageAtLeast);
  try {
    const generation = generationOf(response, options);
    if (generation.usage.length > 0 || options.estimateUsage === undefined) return generation;
    return { ...generation, usage: options.estimateUsage(generation) };
  } catch (cause) {
    throw withUsageAtLeast(cause, usageAtLeast);
  }
};
