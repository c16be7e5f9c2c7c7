import { NotExecuted, type GenerationCall, type Provider, type Usage } from '@tollgate/provider';
import type { Engine } from '../../engine.ts';
import { ownInputMax } from '../../ledger/own-input.ts';
import type { Quantities } from '../../ledger/price-usage.ts';
import { readCacheInput } from './cache-input.ts';
import { cachedEstimate, cachedUsage, sentEstimate } from './cached-usage.ts';
import { keptCache, type KeptCache } from './cache-work.ts';

type Call = Omit<GenerationCall, 'operationId'>;

const gone = (what: string): NotExecuted => new NotExecuted({ reason: 'failed', cause: new Error(what) });

/** The work of a cache that a call names; null where it is no cache that is kept. */
const readKept = async ({ storage }: Pick<Engine, 'storage'>, cacheId: string): Promise<KeptCache | null> => {
  const records = await storage.read([{ table: 'resource', id: cacheId }]);
  const resource = records.get('resource', cacheId);
  return resource === undefined ? null : keptCache(resource);
};

/** What a call reserves for the cache that it names, beside the estimate of its own input. */
export type CacheEstimate = (call: Call, own: Quantities) => Quantities;

export const readCacheEstimate = async (engine: Engine, cacheId: string): Promise<CacheEstimate> => {
  const kept = await readKept(engine, cacheId);
  if (kept === null) return () => [];
  return kept.upstream === null
    ? (call, own) => sentEstimate(kept, own, ownInputMax(call))
    : () => cachedEstimate(kept.tokens);
};

type Measure = (usage: readonly Usage[]) => readonly Usage[];

const asMeasured: Measure = (usage) => usage;

/**
 * Splits the usage of a call with this cache into cached and other input; an upstream that keeps the cache does so itself. `ownMax` is the input of
 * the call without its cache, from above.
 */
export const measureWithCache = async (engine: Engine, cacheId: string, ownMax: Quantities): Promise<Measure> => {
  const kept = await readKept(engine, cacheId);
  return kept === null || kept.upstream !== null ? asMeasured : (usage) => cachedUsage(usage, kept, ownMax);
};

/** A call with its cache: named where the upstream keeps it, else with what it holds before its own. */
export interface CachedCall {
  readonly call: Call;
  /** The usage of the call, with what was read of the cache told apart. */
  readonly measure: Measure;
}

/**
 * Puts a cache before a call, once the operation that uses it is open. Throws `NotExecuted` where it is gone all the same; nothing
 * has been handed over by then.
 */
export const withCache = async (
  engine: Engine,
  user: { readonly projectId: string; readonly provider: Provider },
  cacheId: string,
  call: Call,
): Promise<CachedCall> => {
  const kept = await readKept(engine, cacheId);
  if (kept === null) throw gone('the cache is gone');
  const { provider, projectId } = user;
  if (kept.upstream !== null) {
    if (kept.upstream.provider !== provider.name) throw gone('the cache is at another upstream');
    const cached = { reference: kept.upstream.reference, tokens: kept.totalTokens };
    return { call: { ...call, cached }, measure: asMeasured };
  }
  if (kept.input === null) throw gone('the cache has no contents');
  const ownMax = ownInputMax(call);
  const held = await readCacheInput(engine, { projectId, provider: provider.name }, kept.input);
  return {
    call: {
      ...call,
      systemInstruction: held.systemInstruction ?? call.systemInstruction,
      contents: [...held.contents, ...call.contents],
    },
    measure: (usage) => cachedUsage(usage, kept, ownMax),
  };
};
