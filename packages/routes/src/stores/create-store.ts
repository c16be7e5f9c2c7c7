import { limits, parseStoreRequest, type CatalogModel } from '@tollgate/contract';
import { openStore, type Access, type ResourcePlan, type ResourceWire, type StoreWork } from '@tollgate/engine';
import { fingerprint } from '../fingerprint.ts';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { identityOf } from '../identity-of.ts';
import { readJson } from '../read-json.ts';
import { selectedRow, unavailableReason } from '../resolve-model.ts';
import { answerCreated } from '../resources/create-resource-answer.ts';
import type { Service } from '../service.ts';
import { indexDimensions, indexModel } from './index-model.ts';

/** The key's model is asked for a store of its own first: it searches that by itself. Else the gateway keeps the index. */
const chooseIndex = (service: Service, access: Access): { readonly model: CatalogModel; readonly work: StoreWork } => {
  const { models } = service;
  const own = selectedRow(service, access, 'interactions');
  const provider = own === null || unavailableReason(service, own) !== null ? null : models.providerOf(own);
  if (own !== null && provider?.stores !== undefined)
    return { model: own, work: { dimensions: null, upstream: { provider: provider.name, reference: null } } };
  const model = indexModel(service);
  return { model, work: { dimensions: indexDimensions(service, model) } };
};

/** A store by its name, and the form in which it was asked for. */
export interface StoreNames {
  readonly displayName: string | null;
  readonly wire?: ResourceWire | undefined;
}

/** The plan of a store. */
export const planStore = (
  service: Service,
  { displayName, wire }: StoreNames,
  named: Pick<ResourcePlan, 'identity' | 'fingerprint'> & { readonly access: Access },
): ResourcePlan => {
  const { model, work } = chooseIndex(service, named.access);
  return {
    ...named,
    kind: 'store',
    model: model.id,
    estimate: null,
    refusal: null,
    draft: openStore(displayName, work, wire),
    uses: [],
  };
};

// stores:*
/** POST /stores: 200 with the record of a store that can be used at once; it costs nothing. */
export const createStore = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  const identity = identityOf(request);
  const body = await readJson(service, request, limits.bodyBytesMax.other);
  const { displayName } = parseStoreRequest(body.value);
  const named = { access, identity, fingerprint: fingerprint(request.method, '/stores', body.bytes) };
  return answerCreated(service, planStore(service, { displayName }, named));
};
