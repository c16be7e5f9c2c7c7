import { chatBounds, isRecord, limits, noObjectError, parseEmbeddingRequest, readAt } from '@tollgate/contract';
import type { Access } from '@tollgate/engine';
import type { OperationRecord } from '@tollgate/storage';
import { z } from 'zod';
import { receiptOf } from '../../chat/encode-completion.ts';
import { embeddingPolicy } from '../../embeddings/embedding-policy.ts';
import { runEmbedding } from '../../embeddings/run-embedding.ts';
import { storedVectors } from '../../embeddings/stored-vectors.ts';
import type { GatewayRequest, GatewayResponse } from '../../gateway-request.ts';
import { identityOf } from '../../identity-of.ts';
import { readMediaJson } from '../../media-json/read-media-json.ts';
import { operationAnswer } from '../../operation-answer.ts';
import { present } from '../../present.ts';
import type { Service } from '../../service.ts';
import { sumTokens, tokenCounts } from '../../token-counts.ts';
import { modelName } from './model-name.ts';

const { textFieldCharsMax } = chatBounds;

/** What says how a machine runs the model itself has no part in a vector. */
const shared = {
  model: z.string().min(1).max(textFieldCharsMax).nullish(),
  truncate: z.boolean().nullish(),
  keep_alive: z.union([z.string().max(textFieldCharsMax), z.number()]).nullish(),
  options: z.record(z.string(), z.unknown()).nullish(),
};
/** The contract says what an input is, and how long a vector. */
const EmbedFields = z.strictObject({ ...shared, input: z.unknown().optional(), dimensions: z.unknown().optional() });
const OlderFields = z.strictObject({ ...shared, prompt: z.string().min(1) });

export type EmbedPath = '/api/embed' | '/api/embeddings';

const named = (model: string | null | undefined) =>
  present('model', typeof model === 'string' ? modelName(model) : null);

/** The body of the contract. */
const toContractBody = (value: unknown, path: EmbedPath): object => {
  if (!isRecord(value)) throw noObjectError(value);
  if (path === '/api/embeddings') {
    const { model, prompt } = readAt(OlderFields, value);
    return { ...named(model), input: prompt };
  }
  const { model, input, dimensions } = readAt(EmbedFields, value);
  return { ...named(model), ...present('input', input), ...present('dimensions', dimensions) };
};

const encode = (brand: string, path: EmbedPath, operation: OperationRecord, body: string): string => {
  const vectors = storedVectors(body);
  const receipt = { [brand]: receiptOf(operation) };
  if (path === '/api/embeddings') return JSON.stringify({ embedding: vectors[0], ...receipt });
  return JSON.stringify({
    model: operation.model,
    embeddings: vectors,
    total_duration: 0,
    load_duration: 0,
    prompt_eval_count: sumTokens(tokenCounts(operation)),
    ...receipt,
  });
};

/** `POST /api/embed`, and its older path for one text: POST /embeddings in another dialect. */
export const embed = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
  path: EmbedPath,
): Promise<GatewayResponse> => {
  const identity = identityOf(request);
  const bytesMax = limits.bodyBytesMax.embeddings;
  const { value, fingerprint, release } = await readMediaJson(service, request, { path, bytesMax, places: [] });
  try {
    const asked = parseEmbeddingRequest(toContractBody(value, path), embeddingPolicy(service, true));
    const outcome = await runEmbedding(service, access, request, { asked, identity, fingerprint });
    return operationAnswer(outcome, encode(service.brand, path, outcome.operation, outcome.body));
  } finally {
    await release();
  }
};
