import { GatewayError, type CacheRequest, type CatalogModel, type GenerateRequest } from '@tollgate/contract';
import {
  cacheBlobKeys,
  cacheInputMarginMs,
  contentTokensMin,
  countInput,
  estimateInput,
  mediaBlobKey,
  storeCacheInput,
  storePendingBlob,
  type Access,
  type CachedInput,
  type CacheInput,
  openCache,
  type Quantities,
  type ResourcePlan,
} from '@tollgate/engine';
import { unitFacts, type BlobPart, type GenerationCall, type Part } from '@tollgate/provider';
import { checkCapabilities } from '../check-capabilities.ts';
import { resolveFiles } from '../files/resolve-files.ts';
import { contentFileIds } from '../generate/prepare-content.ts';
import { toContentCall } from '../generate/to-content-call.ts';
import { admitCall, admittedModel } from '../hooks/admit-call.ts';
import { checkFamily, resolveModel, refusalOf } from '../resolve-model.ts';
import type { Service } from '../service.ts';

type Call = Omit<GenerationCall, 'operationId'>;

/** A cache as a body asks for it. */
export interface AskedCache {
  readonly cache: CacheRequest;
  /** The model that the body names; the key's, where it names none. */
  readonly model?: string | undefined;
  /** What it keeps before the contents, in pieces; null and absent where there is none. */
  readonly systemInstruction?: readonly string[] | null | undefined;
}

/** What is kept as a call that says nothing else. */
const requestOf = ({ cache, systemInstruction = null }: AskedCache): GenerateRequest => ({
  contents: cache.contents,
  systemInstruction,
  config: {},
  tools: [],
  toolConfig: {},
  safetySettings: [],
  cacheId: null,
});

// caches:body:minimum-size
/** What the contents hold, by unit: as the provider counts them, else by the bound of each. */
const countContents = async (
  service: Service,
  access: Access,
  model: CatalogModel,
  call: Call,
): Promise<Pick<PreparedCache, 'tokens' | 'tokensMin'>> => {
  const provider = service.models.providerOf(model);
  const counts = provider !== null && service.countInput !== 'never';
  const counted = counts ? await countInput(service.engine, provider, call, access) : null;
  const tokens = (counted ?? estimateInput(call)).filter(({ unit }) => unitFacts[unit].cachedAs !== null);
  return { tokens, tokensMin: counted === null ? contentTokensMin(call) : tokens };
};

const totalOf = (tokens: Quantities): number => tokens.reduce((sum, { quantity }) => sum + quantity, 0);

const checkSize = ({ cacheTokensMin = 0 }: CatalogModel, tokens: Quantities): void => {
  if (totalOf(tokens) < cacheTokensMin)
    throw new GatewayError('invalid_request', {
      detail: `A cache of this model holds at least ${cacheTokensMin} tokens; the contents have ${totalOf(tokens)}.`,
    });
};

/** A checked cache, before its contents are put aside. */
export interface PreparedCache {
  readonly access: Access;
  readonly asked: CacheRequest;
  readonly model: CatalogModel;
  readonly input: CachedInput;
  readonly tokens: Quantities;
  /** Of that, what they hold for certain. */
  readonly tokensMin: Quantities;
  /** Ids of the files of the project that the contents name. */
  readonly files: readonly string[];
  /** Whether an upstream keeps it, or the gateway. */
  readonly isUpstream: boolean;
}

export const prepareCache = async (service: Service, caller: Access, given: AskedCache): Promise<PreparedCache> => {
  const asked = given.cache;
  const named = resolveModel(service, caller, given.model, 'generate');
  const access = await admitCall(service, { access: caller, model: named });
  const model = admittedModel(service, access, named);
  checkFamily(model, 'generate');
  const provider = service.models.providerOf(model);
  const files = await resolveFiles(service, access, contentFileIds(asked), provider?.name ?? '');
  const call = toContentCall(requestOf(given), model, files.parts);
  checkCapabilities(model, call, provider);
  const { tokens, tokensMin } = await countContents(service, access, model, call);
  checkSize(model, tokens);
  return {
    access,
    asked,
    model,
    input: { systemInstruction: call.systemInstruction, contents: call.contents },
    tokens,
    tokensMin,
    files: files.ids,
    isUpstream: provider?.caches !== undefined,
  };
};

/** A copy of a file, since the cache may be kept for longer. One that cannot be read is refused where the cache is opened. */
const copyFile = async (
  { engine, logger }: Service,
  { access: { requestId } }: PreparedCache,
  part: BlobPart,
  copies: string[],
): Promise<BlobPart> => {
  const blobKey = mediaBlobKey(engine.newId());
  try {
    await storePendingBlob(engine, blobKey, part.read());
  } catch (cause) {
    logger.warn('a file could not be copied for a cache', { requestId, fileId: part.file?.id, cause });
    return part;
  }
  copies.push(blobKey);
  const { file: _file, ...rest } = part;
  return { ...rest, blobKey };
};

/** Puts the contents aside; `stored` takes the keys of every blob that was made for it. */
export const storeContents = async (
  service: Service,
  prepared: PreparedCache,
  stored: string[],
): Promise<CacheInput> => {
  const {
    input: { systemInstruction, contents: given },
    isUpstream,
  } = prepared;
  const copy = async (part: Part): Promise<Part> =>
    part.kind === 'blob' && part.file !== undefined && !isUpstream ? copyFile(service, prepared, part, stored) : part;
  const contents = await Promise.all(
    given.map(async ({ role, parts }) => ({ role, parts: await Promise.all(parts.map(copy)) })),
  );
  const input = await storeCacheInput(service.engine, { systemInstruction, contents });
  stored.push(input.blobKey);
  return input;
};

// caches:hold:whole-ttl
/** What is reserved: the whole time to live, and its creation where an upstream carries that out. */
const estimateOf = ({ asked, tokens, isUpstream }: PreparedCache): Quantities => [
  ...(isUpstream ? tokens : []),
  { unit: 'cache_token_seconds', quantity: totalOf(tokens) * asked.ttlSeconds },
];

/** The plan of a checked cache whose contents lie in the blob store. */
export const planCache = (
  service: Service,
  prepared: PreparedCache,
  input: CacheInput,
  named: Pick<ResourcePlan, 'access' | 'identity' | 'fingerprint'> & { readonly id: string },
): ResourcePlan => {
  const { asked, model, tokens, tokensMin, files } = prepared;
  return {
    ...named,
    kind: 'cache',
    model: model.id,
    estimate: estimateOf(prepared),
    refusal: refusalOf(service, model),
    draft: openCache({ ...asked, id: named.id, input, tokens, tokensMin }),
    uses: [],
    files,
    guard: { blobKeys: cacheBlobKeys(input), keptMs: asked.ttlSeconds * 1_000 + cacheInputMarginMs },
  };
};
