import { NotExecuted, type GenerationCall, type Provider, type Usage } from '@tollgate/provider';
import type { Engine } from '../../engine.ts';
import type { Quantities } from '../../tariff.ts';
import { readCacheInput } from './cache-input.ts';
import { cachedEstimate, cachedUsage } from './cached-usage.ts';
import { keptCache, type KeptCache } from './cache-work.ts';

type Call = Omit<GenerationCall, 'operationId'>;

const gone = (what: string): NotExecuted => new NotExecuted({ reason: 'failed', cause: new Error(what) });

/** The work of a cache that a call names; null where it is no cache that is kept. */
const readKept = async ({ storage }: Engine, cacheId: string): Promise<KeptCache | null> => {
  const records = await storage.read([{ table: 'resource', id: cacheId }]);
  const resource = records.get('resource', cacheId);
  return resource === undefined ? null : keptCache(resource);
};

/** What a call reserves for the cache that it names. */
export const estimateCache = async (engine: Engine, cacheId: string): Promise<Quantities> =>
  cachedEstimate((await readKept(engine, cacheId))?.tokens ?? []);

type Measure = (usage: readonly Usage[]) => readonly Usage[];

const asMeasured: Measure = (usage) => usage;

/** How what was used by a call with this cache is told apart; where the upstream keeps it, it does so itself. */
export const measureWithCache = async (engine: Engine, cacheId: string): Promise<Measure> => {
  const kept = await readKept(engine, cacheId);
  return kept === null || kept.upstream !== null ? asMeasured : (usage) => cachedUsage(usage, kept.tokens);
};

/** A call with its cache: named where the upstream keeps it, else with the contents before its own. */
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
    const cached = { note: kept.upstream.note, tokens: kept.totalTokens };
    return { call: { ...call, cached }, measure: asMeasured };
  }
  if (kept.input === null) throw gone('the cache has no contents');
  const contents = await readCacheInput(engine, { projectId, provider: provider.name }, kept.input);
  return {
    call: { ...call, contents: [...contents, ...call.contents] },
    measure: (usage) => cachedUsage(usage, kept.tokens),
  };
};
