import assert from 'node:assert/strict';
import { okJson, type Answer, type Json } from './answer.ts';
import type { GatewaySettings } from './gateway-under-test.ts';
import type { Ask, GatewayWorld } from './gateway-world.ts';
import { generate, helloContent } from './generate-ask.ts';
import { suiteTariff } from './suite-tariff.ts';

type More = Omit<Ask, 'path' | 'body'>;

const perMillion = { ...suiteTariff.models['*']?.perMillion, cache_token_seconds: '1' };

/** Storage costs a micro-credit for each token and second. */
export const cacheSettings: GatewaySettings = { tariff: { version: 'caches-1', models: { '*': { perMillion } } } };

/** The same with a provider that keeps caches itself. */
export const upstreamCacheSettings: GatewaySettings = { ...cacheSettings, cacheSteps: [] };

export const bookText = 'A long book about lighthouses. '.repeat(20);

/** A cache of an hour. */
export const cacheBody = { ttl_seconds: 3_600, contents: [{ parts: [{ text: bookText }] }] } as const;

export const cacheOf = (ttl_seconds: number) => ({ ...cacheBody, ttl_seconds });

export const hourMs = 3_600_000;

/** Asks the routes of caches. */
export interface CacheClient {
  readonly create: (body?: unknown, more?: More) => Promise<Answer>;
  /** The record of a cache that can be used. */
  readonly active: (body?: unknown) => Promise<Json>;
  readonly get: (id: string) => Promise<Json>;
  readonly patch: (id: string, body: unknown, more?: More) => Promise<Answer>;
  readonly remove: (id: string, more?: More) => Promise<Answer>;
  /** A generation that names it. */
  readonly use: (id: string, body?: Readonly<Record<string, unknown>>, more?: More) => Promise<Answer>;
}

export const cacheClient = (world: GatewayWorld, key: string = world.key): CacheClient => {
  const create: CacheClient['create'] = (body = cacheBody, more = {}) =>
    world.send({ key, ...more, path: '/caches', body });
  const get = async (id: string): Promise<Json> => okJson(await world.send({ key, path: `/caches/${id}` }));
  return {
    create,
    active: async (body) => {
      const id = okJson(await create(body))
        .at('id')
        .text();
      await world.runJobs();
      const record = await get(id);
      assert.equal(record.at('status').value, 'active');
      return record;
    },
    get,
    patch: (id, body, more = {}) => world.send({ key, ...more, method: 'PATCH', path: `/caches/${id}`, body }),
    remove: (id, more = {}) => world.send({ key, ...more, method: 'DELETE', path: `/caches/${id}` }),
    use: (id, body = {}, more = {}) =>
      generate(world, { contents: [helloContent], cachedContent: `caches/${id}`, ...body }, { key, ...more }),
  };
};

/** What a cache holds. */
export const tokensOf = (record: Json): number => record.at('result', 'total_tokens').number();

/** What so many of its seconds cost in credits. */
export const storageCredits = (tokens: number, seconds: number): number => (tokens * seconds) / 1_000_000;
