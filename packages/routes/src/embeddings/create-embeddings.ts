import { limits, parseEmbeddingRequest } from '@tollgate/contract';
import type { Access } from '@tollgate/engine';
import { encodeUnary } from '../chat/encode-completion.ts';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { identityOf } from '../identity-of.ts';
import { operationAnswer } from '../operation-answer.ts';
import { identityPath } from '../named-model.ts';
import { readMediaJson } from '../media-json/read-media-json.ts';
import type { Service } from '../service.ts';
import { embeddingPolicy } from './embedding-policy.ts';
import { runEmbedding } from './run-embedding.ts';

const reading = {
  path: '/embeddings',
  bytesMax: limits.bodyBytesMax.embeddings,
  places: ['content.parts.*.inlineData.data'],
};

// embeddings:*
/** POST /embeddings: parse, run, encode. */
export const createEmbeddings = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  const identity = identityOf(request);
  const body = await readMediaJson(service, request, {
    ...reading,
    path: identityPath(request, reading.path),
  });
  try {
    const { openai = false, google = false } = service.compatibility;
    const asked = parseEmbeddingRequest(body.value, embeddingPolicy(service, openai || google));
    const ask = { asked, identity, fingerprint: body.fingerprint };
    const outcome = await runEmbedding(service, access, request, ask);
    return operationAnswer(outcome, encodeUnary(service.brand, outcome.operation, outcome.body));
  } finally {
    await body.release();
  }
};
