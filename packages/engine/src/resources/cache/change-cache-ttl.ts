import type { Provider } from '@tollgate/provider';
import { changeTtl, type ChangeTtlAnswer, type ChangeTtlCommand } from '../../decisions/change-ttl.ts';
import type { Engine } from '../../engine.ts';
import { callerOf } from '../../operations/caller-of.ts';
import { commit, commitOnce, patienceOf, persist } from '../../operations/persist.ts';
import { findResource, type FoundResource } from '../find-resource.ts';
import { holdOf } from '../../ledger/hold.ts';
import type { ModelTariff } from '../../ledger/model-prices.ts';
import { pricesOf } from '../../ledger/operation-prices.ts';
import { callInTime } from '../../workers/call-in-time.ts';
import { cacheInputMarginMs } from './cache-kind.ts';
import { toConfirmed } from './cached-usage.ts';
import { cacheBlobKeys, keptCache, secondsBetween, usageOfCache, type KeptCache } from './cache-work.ts';

export type ChangeTtlOutcome =
  | { readonly kind: 'ttl_changed'; readonly found: FoundResource }
  | { readonly kind: 'insufficient' }
  /** It is not created yet, or being ended. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'missing' }
  /** The upstream that keeps it did not take the new time; nothing but the hold may have changed. */
  | { readonly kind: 'unavailable' };

export interface TtlChange {
  /** The request that asks for it. */
  readonly requestId?: string | undefined;
  readonly projectId: string;
  readonly id: string;
  readonly ttlSeconds: number;
  /** Who keeps it, where an upstream does. */
  readonly provider: Provider | null;
}

interface Found {
  readonly found: FoundResource;
  readonly kept: KeptCache;
  readonly prices: ModelTariff;
}

const holdFor =
  ({ kept, prices }: Found) =>
  (storedMs: number): bigint => {
    const micros = holdOf(prices, toConfirmed(usageOfCache(kept, secondsBetween(0, storedMs))));
    if (micros === null) throw new RangeError('the hold of a cache is beyond every amount');
    return micros;
  };

const commandOf = (
  known: Found,
  { id, ttlSeconds }: TtlChange,
  change: Pick<ChangeTtlCommand, 'step' | 'hostHoldMicros'>,
): ChangeTtlCommand => ({
  operationId: id,
  accountId: known.found.operation.accountId,
  spends: known.found.operation.spends,
  ttlMs: ttlSeconds * 1_000,
  holdFor: holdFor(known),
  blobKeys: cacheBlobKeys(known.kept.input),
  marginMs: cacheInputMarginMs,
  publicFields: { ttl_seconds: ttlSeconds },
  ...change,
});

const changeTtlUpstream = (engine: Engine, command: ChangeTtlCommand): Promise<ChangeTtlAnswer> =>
  commit(engine, changeTtl(command));

/** What a host's ledger is to hold: it raises a hold only, so what it holds may be more. Null where it refuses. */
const raiseAtHost = async (engine: Engine, known: Found, asked: TtlChange): Promise<bigint | 'insufficient' | null> => {
  const hostLedger = engine.host.ledger;
  if (hostLedger === null) return null;
  const { operation } = known.found;
  const nowMs = await commitOnce(engine, {
    keys: [{ table: 'operation', id: operation.id }],
    decide: (_, now) => ({ writes: [], answer: now }),
  });
  const wanted = holdFor(known)(nowMs + asked.ttlSeconds * 1_000 - operation.createdAtMs);
  const amountMicros = wanted > operation.holdMicros ? wanted : operation.holdMicros;
  const { id: operationId, accountId } = operation;
  const answer = await persist(patienceOf(engine), () => hostLedger.extend({ operationId, accountId, amountMicros }));
  return answer === 'extended' ? amountMicros : 'insufficient';
};

/** Asks the upstream that keeps it for the new time; false where it does not give it. */
const changeTtlThere = async (
  engine: Engine,
  { found, kept }: Found,
  { provider, ttlSeconds, requestId }: TtlChange,
): Promise<boolean> => {
  const { upstream } = kept;
  if (upstream === null) return true;
  const caches = provider?.name === upstream.provider ? provider.caches : undefined;
  if (caches === undefined) return false;
  const context = { caller: callerOf(found.operation), signal: new AbortController().signal, recordAttempt: () => {} };
  try {
    await callInTime(engine, context, engine.limits.fileCopyMs, (each) =>
      caches.extend(upstream.reference, ttlSeconds, each),
    );
    return true;
  } catch (cause) {
    engine.logger.warn('an upstream did not change the time of a cache', {
      requestId,
      operationId: found.operation.id,
      cause,
    });
    return false;
  }
};

const outcomeOf = async (engine: Engine, asked: TtlChange, answer: ChangeTtlAnswer): Promise<ChangeTtlOutcome> => {
  if (answer.kind !== 'ttl_changed') return answer;
  const found = await findResource(engine, asked.projectId, 'cache', asked.id);
  return found === null ? { kind: 'missing' } : { kind: 'ttl_changed', found };
};

// caches:patch:*
/**
 * Changes how long a cache is kept, counted from now, and reserves for it again: the hold covers the time stored so far and the new
 * one. Where that cannot be reserved nothing changes.
 */
export const changeCacheTtl = async (engine: Engine, asked: TtlChange): Promise<ChangeTtlOutcome> => {
  const found = await findResource(engine, asked.projectId, 'cache', asked.id);
  if (found === null) return { kind: 'missing' };
  const { operation, resource } = found;
  if (resource.availability === 'follows') return { kind: operation.endedAtMs === null ? 'pending' : 'missing' };
  const kept = keptCache(resource);
  const prices = pricesOf(engine, operation);
  if (resource.availability !== 'active' || kept === null) return { kind: 'missing' };
  if (prices === null) return { kind: 'unavailable' };
  const known: Found = { found, kept, prices };
  const hostHoldMicros = await raiseAtHost(engine, known, asked);
  if (hostHoldMicros === 'insufficient') return { kind: 'insufficient' };
  if (kept.upstream !== null) {
    const reserved = await changeTtlUpstream(engine, commandOf(known, asked, { step: 'reserve', hostHoldMicros }));
    if (reserved.kind !== 'ttl_changed') return reserved;
    if (!(await changeTtlThere(engine, known, asked))) return { kind: 'unavailable' };
  }
  const applied = await changeTtlUpstream(engine, commandOf(known, asked, { step: 'apply', hostHoldMicros }));
  return outcomeOf(engine, asked, applied);
};
