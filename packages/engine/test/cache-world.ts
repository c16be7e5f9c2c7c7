import type { CacheCall, CallContext, CreatedCache, Provider } from '@tollgate/provider';
import type { Engine, EngineOptions } from '../src/engine.ts';
import { cacheKind } from '../src/resources/cache/cache-kind.ts';
import { storeCacheInput } from '../src/resources/cache/cache-input.ts';
import { cacheBlobKeys, openCache } from '../src/resources/cache/cache-work.ts';
import { createResource } from '../src/resources/create-resource.ts';
import { findResource, type FoundResource } from '../src/resources/find-resource.ts';
import { parseTariff } from '../src/ledger/tariff.ts';
import { createEngineWorld, type EngineWorld } from './engine-world.ts';
import { giveKinds } from './process-parts.ts';

/** A token of input and a token for a second cost a micro-credit each. */
const tariff = parseTariff({
  version: 'caches',
  models: { model: { perMillion: { input_text_tokens: '1', cached_input_tokens: '0.5', cache_token_seconds: '1' } } },
});

export const createCacheWorld = (
  balanceMicros = 100_000n,
  options: Partial<EngineOptions> = {},
): Promise<EngineWorld> => createEngineWorld(balanceMicros, { tariff, ...options });

export const bare: Provider = { name: 'bare' };

/** A provider that keeps caches of 20 tokens, whose creation it does as told. */
export const keeper = (
  create: (call: CacheCall, context: CallContext) => Promise<CreatedCache> = (call) =>
    Promise.resolve({
      reference: `note of ${call.operationId}`,
      tokens: 20,
      usage: [{ unit: 'input_text_tokens', quantity: 20, confirmed: true }],
    }),
) => {
  const created: CacheCall[] = [];
  const extended: number[] = [];
  const removed: string[] = [];
  const provider: Provider = {
    name: 'keeper',
    caches: {
      create: (call, context) => {
        created.push(call);
        return create(call, context);
      },
      extend: async (_, ttlSeconds) => void extended.push(ttlSeconds),
      remove: async (reference) => void removed.push(reference),
    },
  };
  return { provider, created, extended, removed };
};

export const registerCaches = (engine: Engine, provider: Provider): void =>
  giveKinds(engine, cacheKind({ engine, findRoute: () => ({ provider, upstreamModel: 'upstream' }) }));

/** Asks for a cache of 10 tokens, which it holds for certain unless a test says otherwise. */
export const createCache = async (
  world: EngineWorld,
  ttlSeconds: number,
  certain = 10,
  systemInstruction: string | null = null,
): Promise<string> => {
  const input = await storeCacheInput(world.engine, {
    systemInstruction,
    contents: [{ role: 'user', parts: [{ kind: 'text', text: 'A book.' }] }],
  });
  const created = await createResource(world.engine, {
    access: { keyId: world.keyId, projectId: world.projectId, accountId: world.accountId },
    kind: 'cache',
    model: 'model',
    identity: null,
    fingerprint: 'body',
    estimate: [
      { unit: 'input_text_tokens', quantity: 10 },
      { unit: 'cache_token_seconds', quantity: 10 * ttlSeconds },
    ],
    refusal: null,
    draft: openCache({
      id: 'x',
      displayName: null,
      ttlSeconds,
      input,
      tokens: [{ unit: 'input_text_tokens', quantity: 10 }],
      tokensMin: [{ unit: 'input_text_tokens', quantity: certain }],
    }),
    uses: [],
    guard: { blobKeys: cacheBlobKeys(input), keptMs: ttlSeconds * 1_000 + 3_600_000 },
  });
  if (created.kind !== 'created') throw new Error(`refused: ${created.code}`);
  return created.found.operation.id;
};

export const findCache = async (world: EngineWorld, id: string): Promise<FoundResource> => {
  const found = await findResource(world.engine, world.projectId, 'cache', id);
  if (found === null) throw new Error('no such cache');
  return found;
};
