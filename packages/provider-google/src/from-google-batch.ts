import {
  asArray,
  asCount,
  asObject,
  asText,
  isNotExecuted,
  NotExecuted,
  parseJson,
  type BatchResultItem,
  type Embeddings,
  type Generation,
  type Part,
  type UnknownOutcome,
  type UntrustedObject,
} from '@tollgate/provider';
import { fromGoogleEmbeddings } from './from-google-embeddings.ts';
import { createAnswerReader, endAnswer, endRequest, takeResponse } from './from-google.ts';
import { failedWork, failureReason } from './operation-error.ts';
import { toGeneration } from './to-generation.ts';
import { wireKey, type BatchJobItem } from './to-google-batch.ts';
import type { Upstream } from './upstream.ts';

/** What is reported of each request, by the name that it was given. */
export type BatchEntries = ReadonlyMap<string, UntrustedObject>;

/** Where results stand: in the batch's own output, or in the answer of the operation; at once or inside another list. */
const outputsOf = (operation: UntrustedObject): readonly UntrustedObject[] =>
  [asObject(operation['metadata'])?.['output'], asObject(operation['response'])?.['output'], operation['response']]
    .map(asObject)
    .filter((output) => output !== undefined);

const lists = ['inlinedResponses', 'inlinedEmbedContentResponses'] as const;

const inlined = (output: UntrustedObject): readonly unknown[] =>
  lists.flatMap((name) => {
    const list = output[name];
    return Array.isArray(list) ? asArray(list) : lists.flatMap((inner) => asArray(asObject(list)?.[inner]));
  });

const nameOf = (entry: UntrustedObject): string | undefined =>
  asText(asObject(entry['metadata'])?.['key']) ?? asText(entry['key']);

const named = (entries: readonly unknown[]): BatchEntries =>
  new Map(
    entries.flatMap((value) => {
      const entry = asObject(value);
      const name = entry === undefined ? undefined : nameOf(entry);
      return entry === undefined || name === undefined ? [] : [[name, entry] as const];
    }),
  );

/** The results in the answer itself. */
export const inlinedEntries = (operation: UntrustedObject): BatchEntries =>
  named(outputsOf(operation).flatMap(inlined));

/** The file that holds the results, where the answer does not. */
export const resultsFile = (operation: UntrustedObject): string | undefined =>
  outputsOf(operation)
    .map((output) => asText(output['responsesFile']))
    .find((name) => name !== undefined);

/** The results of a file: one a line. */
export const fileEntries = (text: string): BatchEntries =>
  named(
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map(parseJson),
  );

const readGeneration = (
  { newCallId, imageMeter }: Upstream,
  response: UntrustedObject,
  outputTokensMax: number,
): Generation => {
  const reader = createAnswerReader({
    newCallId,
    isStream: false,
    imageMeter,
    outputTokensMax,
    modelRoundsMax: 1,
    // The grounding itself stands beside the answer.
    hasSearch: false,
  });
  const pieces: readonly Part[] = takeResponse(reader, response);
  endRequest(reader);
  return toGeneration(endAnswer(reader), pieces);
};

const countOf = (response: UntrustedObject | undefined): number | undefined => {
  const told = response?.['tokenCount'];
  return typeof told === 'string' && /^\d{1,15}$/.test(told) ? Number(told) : asCount(told);
};

/** The tokens as each request tells them, or as they were counted before; nothing where neither is known. */
const readEmbeddings = (responses: readonly UntrustedObject[], counted: number | null): Embeddings => {
  const read = responses.map((response) => fromGoogleEmbeddings(response, 1));
  const told = read.map(({ tokens }, place) => tokens ?? countOf(responses[place]));
  const sum = told.reduce<number | undefined>((all, each) => (each === undefined ? undefined : (all ?? 0) + each), 0);
  const tokens = sum ?? counted;
  return {
    vectors: read.flatMap(({ vectors }) => vectors),
    usage: tokens === null ? [] : [{ unit: 'embedding_tokens', quantity: tokens, confirmed: true }],
  };
};

/** What becomes of requests without a report. */
export type Untold = 'cancelled' | 'failed';

const cancelledCode = 1;

const readItem = (
  upstream: Upstream,
  item: BatchJobItem,
  entries: readonly (UntrustedObject | undefined)[],
  untold: Untold,
): BatchResultItem => {
  const { key } = item;
  const error = entries.map((entry) => entry?.['error']).find((found) => found !== undefined && found !== null);
  if (asObject(error)?.['code'] === cancelledCode) return { key, kind: 'cancelled' };
  if (error !== undefined) return { key, kind: 'failed', reason: failureReason(error) };
  const responses = entries.map((entry) => asObject(entry?.['response'])).filter((one) => one !== undefined);
  if (responses.length < entries.length)
    return untold === 'cancelled' ? { key, kind: 'cancelled' } : { key, kind: 'failed', reason: 'failed' };
  if (item.vectors !== undefined)
    return { key, kind: 'embedding', embeddings: readEmbeddings(responses, item.tokens ?? null) };
  const [response = {}] = responses;
  try {
    return { key, kind: 'generation', generation: readGeneration(upstream, response, item.outputTokensMax ?? 0) };
  } catch (failure) {
    if (!isNotExecuted(failure)) throw failure;
    return { key, kind: 'failed', reason: failure.reason };
  }
};

/** What each item of a batch came to, in the order in which they were sent. */
export const fromGoogleBatch = (
  upstream: Upstream,
  items: readonly BatchJobItem[],
  entries: BatchEntries,
  untold: Untold,
): readonly BatchResultItem[] =>
  items.map((item, place) =>
    readItem(
      upstream,
      item,
      Array.from({ length: item.vectors ?? 1 }, (_, vector) => entries.get(wireKey(place, vector))),
      untold,
    ),
  );

/** The batch as a whole failed, and nothing is reported of any item. */
export const failedBatch = (operation: UntrustedObject, apiKey: string): NotExecuted | UnknownOutcome => {
  const { error } = operation;
  return error === undefined || error === null
    ? new NotExecuted({ reason: 'failed', cause: asObject(operation['metadata'])?.['state'] })
    : failedWork(error, apiKey);
};
