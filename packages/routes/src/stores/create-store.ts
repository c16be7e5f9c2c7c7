import { limits, parseStoreRequest } from '@tollgate/contract';
import type { Access, StoreWork } from '@tollgate/engine';
import { fingerprint } from '../fingerprint.ts';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { identityOf } from '../identity-of.ts';
import { readJson } from '../read-json.ts';
import { answerCreated } from '../resources/create-resource-answer.ts';
import type { Service } from '../service.ts';
import { indexDimensions, indexModel } from './index-model.ts';

/** POST /stores: 200 with the record of a store that can be used at once; it costs nothing (stores:*). */
export const createStore = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  const identity = identityOf(request);
  const body = await readJson(request, limits.bodyBytesMax.other);
  const { displayName } = parseStoreRequest(body.value);
  const model = indexModel(service);
  return answerCreated(service, {
    access,
    kind: 'store',
    model: model.id,
    identity,
    fingerprint: fingerprint(request.method, '/stores', body.bytes),
    estimate: null,
    refusal: null,
    draft: {
      kind: 'store',
      displayName,
      parent: null,
      standing: 'active',
      shown: { document_count: 0 },
      work: { dimensions: indexDimensions(service, model) } satisfies StoreWork,
      expiresAfterMs: null,
      items: [],
    },
    uses: [],
  });
};
