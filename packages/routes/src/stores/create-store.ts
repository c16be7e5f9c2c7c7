import { limits, parseStoreRequest, type CatalogModel } from '@tollgate/contract';
import { openStore, type Access, type StoreWork } from '@tollgate/engine';
import { fingerprint } from '../fingerprint.ts';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { identityOf } from '../identity-of.ts';
import { readJson } from '../read-json.ts';
import { unavailableReason } from '../resolve-model.ts';
import { answerCreated } from '../resources/create-resource-answer.ts';
import type { Service } from '../service.ts';
import { indexDimensions, indexModel } from './index-model.ts';

/** The key's model is asked for a store of its own first: it searches that by itself. Else the gateway keeps the index. */
const chooseIndex = (service: Service, access: Access): { readonly model: CatalogModel; readonly work: StoreWork } => {
  const { models } = service;
  const own = access.model === null ? models.selectAutomatically() : models.find(access.model);
  const provider = own === null || unavailableReason(service, own) !== null ? null : models.providerOf(own);
  if (own !== null && provider?.stores !== undefined)
    return { model: own, work: { dimensions: null, upstream: { provider: provider.name, reference: null } } };
  const model = indexModel(service);
  return { model, work: { dimensions: indexDimensions(service, model) } };
};

/** POST /stores: 200 with the record of a store that can be used at once; it costs nothing (stores:*). */
export const createStore = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  const identity = identityOf(request);
  const body = await readJson(service, request, limits.bodyBytesMax.other);
  const { displayName } = parseStoreRequest(body.value);
  const { model, work } = chooseIndex(service, access);
  return answerCreated(service, {
    access,
    kind: 'store',
    model: model.id,
    identity,
    fingerprint: fingerprint(request.method, '/stores', body.bytes),
    estimate: null,
    refusal: null,
    draft: openStore(displayName, work),
    uses: [],
  });
};
