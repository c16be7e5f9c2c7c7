import {
  atBatchItem,
  batchItemPlace,
  GatewayError,
  parseBatchRequest,
  type BatchRequest,
  type BatchRequestItem,
  type CatalogModel,
} from '@tollgate/contract';
import {
  batchInputKeptMs,
  estimateEmbedding,
  estimateGeneration,
  pricesNow,
  inputBlobKeys,
  toStoredEmbedding,
  toStoredGeneration,
  type Access,
  type BatchInput,
  type BatchNames,
  openBatch,
  type Estimate,
  type ResourcePlan,
  type ResourceWire,
  type StoredItem,
} from '@tollgate/engine';
import { findNamedCache, type NamedCache } from '../caches/named-cache.ts';
import { checkCapabilities } from '../check-capabilities.ts';
import { checkOffer } from '../embeddings/check-offer.ts';
import { embeddingFileIds, embeddingParts } from '../embeddings/run-embedding.ts';
import { toEmbeddingCall } from '../embeddings/to-embedding-call.ts';
import { resolveFiles, type ResolvedFiles } from '../files/resolve-files.ts';
import { contentFileIds } from '../generate/prepare-content.ts';
import { toContentCall } from '../generate/to-content-call.ts';
import { refuseKeptStates } from '../kept-states.ts';
import { checkWorkable } from '../require-workable.ts';
import { admitCall, admittedModel } from '../hooks/admit-call.ts';
import { resolveModel, refusalOf } from '../resolve-model.ts';
import type { Service } from '../service.ts';
import { googleTierWords, refuseServiceTier } from '../service-tier.ts';

/** A checked batch, before its items are put aside. */
export interface PreparedBatch extends BatchNames {
  readonly access: Access;
  readonly model: CatalogModel;
  readonly items: readonly StoredItem[];
  readonly estimate: Estimate;
  /** Ids of the files of the project that the items name. */
  readonly files: readonly string[];
  /** The caches that they name. */
  readonly uses: ResourcePlan['uses'];
}

// batches:item:generate-shape, batches:item:embedding-shape
/** What the model of the key does, and with it each item. */
const kindOf = ({ id, routes }: CatalogModel): BatchRequestItem['kind'] => {
  if (routes.includes('generate')) return 'generation';
  if (routes.includes('embeddings')) return 'embedding';
  throw new GatewayError('model_incompatible', {
    detail: `The model ${id} takes no batches; it offers ${routes.join(', ')}.`,
  });
};

/** What the items name, looked up once for all of them. */
interface Named {
  readonly files: ResolvedFiles['parts'];
  readonly caches: ReadonlyMap<string, NamedCache>;
}

/** Where an item is prepared, and for whom. */
interface Preparing {
  readonly service: Service;
  readonly access: Access;
  readonly model: CatalogModel;
}

interface PreparedItem {
  readonly stored: StoredItem;
  readonly estimate: Estimate;
}

const prepareItem = (
  { service, access, model }: Preparing,
  item: BatchRequestItem,
  { files, caches }: Named,
): PreparedItem => {
  if (item.kind === 'embedding') {
    checkOffer(model, item.request);
    const call = toEmbeddingCall(item.request, model, embeddingParts(model, item.request, files));
    const estimate = estimateEmbedding(call, pricesNow(service.engine, { access, model: model.id, kind: 'batch' }));
    return { stored: { kind: 'embedding', call: toStoredEmbedding(call) }, estimate };
  }
  const call = toContentCall(item.request, model, files);
  refuseKeptStates(call);
  refuseServiceTier(call, 'in a batch', googleTierWords);
  checkCapabilities(model, call, service.models.providerOf(model));
  const { responseFormat: format } = call;
  if (format.kind === 'json_schema') checkWorkable(format.schema, 'generationConfig.responseJsonSchema');
  const { cacheId } = item.request;
  const own = estimateGeneration(call, model);
  const cached = cacheId === null ? [] : (caches.get(cacheId)?.estimate(call, own) ?? []);
  const estimate = [...own, ...cached];
  return { stored: { kind: 'generation', call: toStoredGeneration(call), cache: cacheId }, estimate };
};

/** One sum for each unit and each way of pricing it. */
export const sumOf = (estimates: readonly Estimate[]): Estimate => {
  const sums = new Map<string, Estimate[number]>();
  for (const each of estimates.flat()) {
    const { quantity, ...priced } = each;
    const key = JSON.stringify(priced);
    sums.set(key, { ...each, quantity: quantity + (sums.get(key)?.quantity ?? 0) });
  }
  return [...sums.values()];
};

const fileIdsOf = ({ items }: BatchRequest): readonly string[] =>
  items.flatMap((item) => (item.kind === 'embedding' ? embeddingFileIds(item.request) : contentFileIds(item.request)));

const findCaches = async (
  service: Service,
  access: Access,
  model: CatalogModel,
  { items }: BatchRequest,
): Promise<Named['caches']> => {
  const found = new Map<string, NamedCache>();
  for (const item of items) {
    const cacheId = item.kind === 'generation' ? item.request.cacheId : null;
    if (cacheId !== null && !found.has(cacheId))
      found.set(cacheId, await findNamedCache(service, access, model, cacheId));
  }
  return found;
};

/** What the request of a wire names beside the items; the key's model, and the contract's form, where it names none. */
export interface NamedInRequest {
  readonly model?: string | undefined;
  readonly wire?: ResourceWire | undefined;
  /** Where a request stands for its client (default: in the body). */
  readonly whereOf?: ((place: number) => string) | undefined;
  /** Whether requests come in either spelling, whatever the host has chosen. */
  readonly snakeCase?: boolean | undefined;
}

/** Reads and checks every item of a batch; one that its own route would refuse refuses the whole. */
export const prepareBatch = async (
  service: Service,
  caller: Access,
  body: unknown,
  { model: named, wire, whereOf = batchItemPlace, ...form }: NamedInRequest = {},
): Promise<PreparedBatch> => {
  const resolved = resolveModel(service, caller, named, 'generate');
  const access = caller.asked === undefined ? caller : await admitCall(service, { access: caller, model: resolved });
  const model = admittedModel(service, access, resolved);
  const { openai = false, google = false, snakeCase = false } = service.compatibility;
  const policy = { googleCompat: google, snakeCase: form.snakeCase ?? snakeCase, compat: openai || google };
  const batch = parseBatchRequest(body, kindOf(model), policy, whereOf);
  const provider = service.models.providerOf(model)?.name ?? '';
  const files = await resolveFiles(service, access, fileIdsOf(batch), provider);
  const caches = await findCaches(service, access, model, batch);
  const prepared = batch.items.map((item, place) =>
    atBatchItem(whereOf(place), () => prepareItem({ service, access, model }, item, { files: files.parts, caches })),
  );
  return {
    access,
    model,
    displayName: batch.displayName,
    wire,
    keys: batch.items.map(({ key }) => key),
    items: prepared.map(({ stored }) => stored),
    // Counting a hundred inputs would keep the client waiting: a batch reserves for the bound of each.
    estimate: sumOf(prepared.map(({ estimate }) => estimate)),
    files: files.ids,
    uses: [...caches.values()].map(({ use }) => use),
  };
};

/** The plan of a checked batch whose items lie in the blob store. */
export const planBatch = (
  service: Service,
  { model, estimate, files, uses, ...names }: PreparedBatch,
  input: BatchInput,
  named: Pick<ResourcePlan, 'access' | 'identity' | 'fingerprint'>,
): ResourcePlan => {
  return {
    ...named,
    kind: 'batch',
    model: model.id,
    estimate,
    refusal: refusalOf(service, model),
    draft: openBatch(names, input),
    uses,
    files,
    guard: { blobKeys: inputBlobKeys(input), keptMs: batchInputKeptMs },
  };
};
