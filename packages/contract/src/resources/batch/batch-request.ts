import { z } from 'zod';
import { EmbeddingRequestBody } from '../../embeddings/embedding-request-body.ts';
import {
  parseEmbeddingRequest,
  type EmbeddingPolicy,
  type EmbeddingRequest,
} from '../../embeddings/embedding-request.ts';
import { unknownFieldSentence } from '../../fields/field-fault.ts';
import { GatewayError, isGatewayError } from '../../http/gateway-error.ts';
import { GenerateRequestBody } from '../../generate/generate-request-body.ts';
import { parseGenerateRequest, type GeneratePolicy, type GenerateRequest } from '../../generate/generate-request.ts';
import { isRecord, type JsonRecord } from '../../json/json-record.ts';
import { keptText } from '../../fields/kept-text.ts';
import { generateBounds, limits } from '../../limits.ts';
import { listError } from '../../fields/refused-value.ts';
import { parseStrictBody, requireRecord } from '../../http/strict-body.ts';

const { requestsMax, keyCharsMax } = limits.batch;

const { model: _model, encoding_format: _format, ...embeddingFields } = EmbeddingRequestBody.shape;

// batches:item:embedding-shape
/** One request with a key of an embedding model. */
const BatchEmbeddingBody = z.strictObject(embeddingFields);

const displayName = keptText(generateBounds.textFieldCharsMax).exactOptional();
const key = keptText(keyCharsMax);

const item = z.strictObject({ key, request: z.union([GenerateRequestBody, BatchEmbeddingBody]) });

// batches:body:fields
/** The body of POST /batches as the contract publishes it. `parseBatchRequest` checks more than a schema can. */
export const BatchRequestBody = z.strictObject({
  display_name: displayName,
  requests: z.array(item).min(1).max(requestsMax),
});

/** What holds the requests; each of them is checked by the parser of its own route. */
const Envelope = z.strictObject({
  display_name: displayName,
  requests: z
    .array(z.strictObject({ key, request: z.custom<JsonRecord>(isRecord) }))
    .min(1)
    .max(requestsMax),
});

export type BatchRequestItem = { readonly key: string } & (
  | { readonly kind: 'generation'; readonly request: GenerateRequest }
  | { readonly kind: 'embedding'; readonly request: EmbeddingRequest }
);

/** A checked batch: its keys are unique, and every request is one that its own route would take. */
export interface BatchRequest {
  readonly displayName: string | null;
  readonly items: readonly BatchRequestItem[];
}

const invalid = (detail: string): GatewayError => new GatewayError('invalid_request', { detail });

/** Counted before the entries are checked, so that a very long list costs one fault and not one per entry. */
const parseEnvelope = (body: unknown): z.infer<typeof Envelope> => {
  const list = requireRecord(body)['requests'];
  if (Array.isArray(list) && list.length > requestsMax) throw listError(['requests'], list, [1, requestsMax]);
  return parseStrictBody(Envelope, body);
};

const embeddingNames = new Set(Object.keys(embeddingFields));

/** The model is the key's, and vectors are always numbers here. */
const parseEmbedding = (request: JsonRecord, policy: EmbeddingPolicy): EmbeddingRequest => {
  const unknown = Object.keys(request).find((name) => !embeddingNames.has(name));
  if (unknown !== undefined)
    throw new GatewayError('unsupported_parameter', { detail: unknownFieldSentence([unknown], [...embeddingNames]) });
  return parseEmbeddingRequest(request, policy);
};

/** Where a request stands in the body of a batch. */
export const batchItemPlace = (place: number): string => `In requests[${place}].request`;

/** Runs a check of one of the requests; what it refuses says which one is wrong. */
export const atBatchItem = <T>(where: string, parse: () => T): T => {
  try {
    return parse();
  } catch (cause) {
    if (!isGatewayError(cause)) throw cause;
    throw new GatewayError(cause.code, { detail: `${where}: ${cause.message}`, cause });
  }
};

/**
 * Reads the parsed JSON body of POST /batches, whole: a batch is accepted only if every request in it is. `kind` is what the model
 * of the key does, `whereOf` where a request stands for its client. Throws nothing but a `GatewayError` whose message names the request and the field.
 */
export const parseBatchRequest = (
  body: unknown,
  kind: BatchRequestItem['kind'],
  policy: GeneratePolicy & EmbeddingPolicy,
  whereOf = batchItemPlace,
): BatchRequest => {
  const { display_name, requests } = parseEnvelope(body);
  const keys = new Set<string>();
  const items = requests.map((entry, place): BatchRequestItem => {
    if (keys.has(entry.key))
      throw invalid(`The field requests[${place}].key repeats an earlier key; accepted are keys that differ.`);
    keys.add(entry.key);
    return atBatchItem(whereOf(place), () =>
      kind === 'generation'
        ? { key: entry.key, kind, request: parseGenerateRequest(entry.request, policy) }
        : { key: entry.key, kind, request: parseEmbedding(entry.request, policy) },
    );
  });
  return { displayName: display_name ?? null, items };
};
