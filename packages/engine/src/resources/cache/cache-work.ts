import { draftResource, type ResourceDraft } from '../../decisions/resource-draft.ts';
import { workReader } from '../../decisions/stored-values.ts';
import type { ResourceRecord, UsageRecord } from '@tollgate/storage';
import type { Quantities } from '../../ledger/price-usage.ts';

/** Where the contents of a cache lie: one blob of JSON, and large media beside it. */
export interface CacheInput {
  readonly blobKey: string;
  readonly mediaKeys: readonly string[];
}

/** How far a cache is; each is durable before what follows it is done. */
export type CacheWork =
  | {
      readonly phase: 'asked';
      readonly input: CacheInput;
      /** What it holds, as counted when it was asked for. */
      readonly tokens: Quantities;
      /** Of that, what it holds for certain. */
      readonly tokensMin?: Quantities;
      readonly tries: number;
    }
  /** It may have been handed over: who finds this after a death cannot know. */
  | { readonly phase: 'submitting'; readonly input: CacheInput }
  | KeptCache;

export interface KeptCache {
  readonly phase: 'kept';
  /** Null where the upstream keeps the contents. */
  readonly input: CacheInput | null;
  /** By which its upstream knows it; null where the gateway keeps the contents. */
  readonly upstream: { readonly provider: string; readonly reference: string } | null;
  /** What it holds by unit, as input of a call. */
  readonly tokens: Quantities;
  /** Of that, what it holds for certain; a cache from before this was noted has none. */
  readonly tokensMin?: Quantities;
  /** What storage is counted by. */
  readonly totalTokens: number;
  /** What its creation used; null where its upstream did not measure it, so that the cost of the whole is unknown. */
  readonly creation: readonly UsageRecord[] | null;
  /** Present where a client ends it before its time. */
  readonly endedAtMs?: number;
}

/** The work of a cache's record, or null where it holds none. */
export const cacheWork = workReader<CacheWork>('phase');

/** The work of a cache that is kept, whether it can be used still or not; null where there is none. */
export const keptCache = ({ kind, work }: Pick<ResourceRecord, 'kind' | 'work'>): KeptCache | null => {
  const found = kind === 'cache' ? cacheWork(work) : null;
  return found?.phase === 'kept' ? found : null;
};

export const cacheBlobKeys = (input: CacheInput | null): readonly string[] =>
  input === null ? [] : [input.blobKey, ...input.mediaKeys];

const secondMs = 1_000;

/** Started seconds between two times. */
export const secondsBetween = (fromMs: number, toMs: number): number =>
  Math.max(0, Math.ceil((toMs - fromMs) / secondMs));

/**
 * What a cache is charged for when it was stored for so long: its creation, and every token for every second. A creation that was
 * not measured is reserved for as what the cache holds.
 */
export const usageOfCache = ({ creation, tokens, totalTokens }: KeptCache, seconds: number): readonly UsageRecord[] => [
  ...(creation ?? tokens),
  { unit: 'cache_token_seconds', quantity: totalTokens * seconds },
];

// caches:record:name-and-result
/** The public result of a cache, which it has from the moment it can be used. */
export const cacheResult = ({ totalTokens }: KeptCache, expiresAtMs: number): string =>
  JSON.stringify({ total_tokens: totalTokens, expires_at: new Date(expiresAtMs).toISOString() });

/** What a client asked of a cache, and what was counted of it. */
export interface CacheOrder {
  readonly id: string;
  readonly displayName: string | null;
  readonly ttlSeconds: number;
  readonly input: CacheInput;
  readonly tokens: Quantities;
  readonly tokensMin: Quantities;
}

/** A cache as it is created: its worker decides when it expires. */
export const openCache = (order: CacheOrder): ResourceDraft<CacheWork> => {
  const { id, displayName, ttlSeconds, input, tokens, tokensMin } = order;
  return draftResource({
    kind: 'cache',
    displayName,
    publicFields: { name: `caches/${id}`, ttl_seconds: ttlSeconds },
    work: { phase: 'asked', input, tokens, tokensMin, tries: 0 },
  });
};
