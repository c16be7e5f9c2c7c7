import { limits, parseEmbeddingRequest } from '@tollgate/contract';
import { creditsFromMicros, type Access } from '@tollgate/engine';
import type { OperationRecord } from '@tollgate/storage';
import { sumTokens, tokenCounts } from '../../../token-counts.ts';
import { embeddingPolicy } from '../../../embeddings/embedding-policy.ts';
import { storedVectors } from '../../../embeddings/stored-vectors.ts';
import { runEmbedding } from '../../../embeddings/run-embedding.ts';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';
import { identityOf } from '../../../identity-of.ts';
import { operationAnswer } from '../../../operation-answer.ts';
import { readMediaJson } from '../../../media-json/read-media-json.ts';
import type { Service } from '../../../service.ts';
import { fromBatchEmbedContents, fromEmbedContent } from './to-embedding-body.ts';

const places = ['content.parts.*.inlineData.data', 'requests.*.content.parts.*.inlineData.data'];

export type EmbedMethod = 'embedContent' | 'batchEmbedContents';

const tokensOf = (operation: OperationRecord): number => sumTokens(tokenCounts(operation));

const encode = (brand: string, method: EmbedMethod, operation: OperationRecord, body: string): string => {
  const embeddings = storedVectors(body).map((values) => ({ values }));
  return JSON.stringify({
    ...(method === 'embedContent' ? { embedding: embeddings[0] } : { embeddings }),
    usageMetadata: { promptTokenCount: tokensOf(operation) },
    [brand]: {
      request_id: operation.id,
      project_id: operation.projectId,
      credits: creditsFromMicros(operation.chargedMicros),
    },
  });
};

/** `:embedContent` and `:batchEmbedContents`: POST /embeddings in another dialect. */
export const embedContent = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
  { model, method }: { readonly model: string; readonly method: EmbedMethod },
): Promise<GatewayResponse> => {
  const identity = identityOf(request);
  const path = `/models/${model}:${method}`;
  const body = await readMediaJson(service, request, { path, bytesMax: limits.bodyBytesMax.embeddings, places });
  try {
    const toBody = method === 'embedContent' ? fromEmbedContent : fromBatchEmbedContents;
    const asked = parseEmbeddingRequest(toBody(body.value, model), embeddingPolicy(service, true));
    const outcome = await runEmbedding(service, access, request, { asked, identity, fingerprint: body.fingerprint });
    return operationAnswer(outcome, encode(service.brand, method, outcome.operation, outcome.body));
  } finally {
    await body.release();
  }
};
