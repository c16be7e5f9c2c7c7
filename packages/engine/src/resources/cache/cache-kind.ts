import { isNotExecuted, type ProviderCaches, type Usage } from '@tollgate/provider';
import { publicFieldsOf } from '../../decisions/stored-values.ts';
import type { ResourceRecord } from '@tollgate/storage';
import type { Engine } from '../../engine.ts';
import { callerOf } from '../../operations/caller-of.ts';
import { usageRecords } from '../../operations/conclude.ts';
import { discardBlob } from '../../operations/pending-blobs.ts';
import { refuseUnbegun } from '../../workers/access-lost.ts';
import { callInTime } from '../../workers/call-in-time.ts';
import type { Work, WorkContext, WorkKind, WorkOutcome } from '../../workers/work-kind.ts';
import { isTransient } from '../../workers/is-transient.ts';
import type { ModelRoute } from '../model-route.ts';
import { toConfirmed } from './cached-usage.ts';
import { readCacheInput } from './cache-input.ts';
import {
  cacheBlobKeys,
  cacheResult,
  cacheWork,
  keptCache,
  secondsBetween,
  usageOfCache,
  type CacheInput,
  type CacheWork,
  type KeptCache,
} from './cache-work.ts';

export interface CacheKindOptions {
  readonly engine: Engine;
  /** By public model id; null where none does now. */
  readonly findRoute: (model: string) => ModelRoute | null;
}

/** How long the contents are guarded beyond the time of the cache: longer than a call that began in time takes. */
export const cacheInputMarginMs = 3_600_000;
/** How long the result of an ended cache is shown. */
const cacheResultKeptMs = 30 * 24 * 3_600_000;
/** How often an upstream that is busy or away is asked to begin. */
const startTriesMax = 5;
const firstPauseMs = 2_000;

const ttlSecondsOf = ({ resource }: Work): number => Number(publicFieldsOf(resource)['ttl_seconds']);

// caches:record:expires-at
/** It is kept for so long from the moment it was asked for. */
const untilMs = (work: Work): number => work.operation.createdAtMs + ttlSecondsOf(work) * 1_000;

/** Removes blobs; what is left over does no harm, for the sweep deletes it in its time. */
const dropBlobs = async (engine: Engine, operationId: string, input: CacheInput | null): Promise<void> => {
  const drop = (key: string): Promise<void> => discardBlob(engine, key, { operationId });
  await Promise.all(cacheBlobKeys(input).map(drop));
};

interface Turn {
  readonly options: CacheKindOptions;
  readonly work: Work;
  readonly context: WorkContext;
}

type Asked = Extract<CacheWork, { readonly phase: 'asked' }>;

const activeAs = ({ work }: Turn, kept: KeptCache): WorkOutcome => ({
  kind: 'active',
  untilMs: untilMs(work),
  work: kept,
});

/** The gateway keeps the contents itself, and sends them along with each call; nothing is executed for that. */
const keepHere = (turn: Turn, { input, tokens, tokensMin = [] }: Asked): WorkOutcome => {
  const totalTokens = tokens.reduce((sum, { quantity }) => sum + quantity, 0);
  return activeAs(turn, { phase: 'kept', input, upstream: null, tokens, tokensMin, totalTokens, creation: [] });
};

/** How a cache closes when its creation has an unknown outcome. */
const uncertain = (cause: unknown): WorkOutcome => ({
  kind: 'unknown',
  cause,
  known: {
    usage: [],
    result: null,
    closing: { availability: 'expired', publicFields: {}, work: null, expiresAfterMs: null },
  },
});

/** A measure that is missing is none, and never nothing (as everywhere else). */
const creationOf = (usage: readonly Usage[]): KeptCache['creation'] =>
  usage.length > 0 && usage.every(({ confirmed }) => confirmed) ? usageRecords(usage) : null;

const keepThere = async (turn: Turn, asked: Asked, route: ModelRoute, caches: ProviderCaches): Promise<WorkOutcome> => {
  const { options, work, context } = turn;
  const { engine } = options;
  const { operation, resource } = work;
  const { name } = route.provider;
  const owner = { projectId: operation.projectId, provider: name };
  const input = await readCacheInput(engine, owner, asked.input);
  await context.checkpoint({ phase: 'submitting', input: asked.input } satisfies CacheWork);
  const ttlSeconds = ttlSecondsOf(work);
  const call = {
    operationId: operation.id,
    upstreamModel: route.upstreamModel,
    displayName: resource.displayName,
    ttlSeconds,
    ...input,
  };
  try {
    const created = await callInTime(engine, context.callContext(name), engine.limits.executionMs, (each) =>
      caches.create(call, each),
    );
    const kept: KeptCache = {
      phase: 'kept',
      input: null,
      upstream: { provider: name, reference: created.reference },
      tokens: asked.tokens,
      totalTokens: created.tokens,
      creation: creationOf(created.usage),
    };
    await dropBlobs(engine, work.operation.id, asked.input);
    return activeAs(turn, kept);
  } catch (cause) {
    if (!isNotExecuted(cause)) return uncertain(cause);
    const tries = asked.tries + 1;
    if (!isTransient(cause) || tries >= startTriesMax) throw cause;
    const afterMs = cause.retryAfterMs ?? firstPauseMs * 2 ** tries;
    return { kind: 'later', afterMs, work: { ...asked, tries } satisfies CacheWork };
  }
};

const create = async (turn: Turn, asked: Asked): Promise<WorkOutcome> => {
  const refused = await refuseUnbegun(turn.context);
  if (refused !== null) return refused;
  const route = turn.options.findRoute(turn.work.resource.model);
  const caches = route?.provider.caches;
  return route === null || caches === undefined ? keepHere(turn, asked) : keepThere(turn, asked, route, caches);
};

/** Its time has passed, or a client ended it: it is charged for the time that it was really stored. */
const end = ({ work }: Turn, kept: KeptCache): WorkOutcome => {
  const { operation, resource } = work;
  const expiresAtMs = resource.expiresAtMs ?? operation.createdAtMs;
  const endedAtMs = Math.min(kept.endedAtMs ?? expiresAtMs, expiresAtMs);
  return {
    kind: 'done',
    // Without the measure of its creation the whole is uncertain: an operator has to decide it.
    usage:
      kept.creation === null ? [] : toConfirmed(usageOfCache(kept, secondsBetween(operation.createdAtMs, endedAtMs))),
    result: cacheResult(kept, expiresAtMs),
    closing: {
      availability: kept.endedAtMs === undefined ? 'expired' : 'deleted',
      publicFields: {},
      work: kept,
      expiresAfterMs: null,
    },
  };
};

const takeTurn = (turn: Turn): Promise<WorkOutcome> => {
  const work = cacheWork(turn.work.resource.work);
  switch (work?.phase) {
    case 'asked':
      return create(turn, work);
    case 'kept':
      return Promise.resolve(end(turn, work));
    case 'submitting':
    case undefined:
      return Promise.resolve(uncertain(new Error('the hand-over was not confirmed')));
  }
};

/** Removes what an upstream keeps; it does so by itself when the time has passed, so this is best effort. */
const removeThere = async (
  { engine, findRoute }: CacheKindOptions,
  resource: ResourceRecord,
  kept: KeptCache,
): Promise<void> => {
  const { upstream } = kept;
  const provider = findRoute(resource.model)?.provider;
  if (upstream === null || provider?.name !== upstream.provider) return;
  const context = { caller: callerOf(resource), signal: new AbortController().signal, recordAttempt: () => {} };
  try {
    await callInTime(engine, context, engine.limits.fileCopyMs, async (each) =>
      provider.caches?.remove(upstream.reference, each),
    );
  } catch (cause) {
    engine.logger.warn('a cache was left to its upstream', { operationId: resource.id, cause });
  }
};

// caches:*
/** How caches live: created, usable until they expire or are deleted, and charged then. */
export const cacheKind = (options: CacheKindOptions): WorkKind => ({
  kind: 'cache',
  runningMax: 64,
  runningPerProjectMax: 16,
  resultKeptMs: cacheResultKeptMs,
  run: (work, context) => takeTurn({ options, work, context }),
  discard: async (resource) => {
    const kept = keptCache(resource);
    if (kept === null) return;
    await removeThere(options, resource, kept);
    // A call that began before it expired may be about to read its contents; nothing uses a deleted one.
    if (resource.availability === 'deleted') await dropBlobs(options.engine, resource.id, kept.input);
  },
});
