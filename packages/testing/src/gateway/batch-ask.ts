import { defaultCatalog, type CatalogModel } from '@tollgate/contract';
import { okJson, type Answer, type Json } from './answer.ts';
import type { GatewaySettings } from './gateway-under-test.ts';
import type { Ask, GatewayWorld } from './gateway-world.ts';
import { helloBody } from './generate-ask.ts';
import { suiteModel, suiteTariff } from './suite-tariff.ts';

type More = Omit<Ask, 'path' | 'body'>;

/** The default catalog with short answers, so that a hundred of them can be reserved. */
const shortAnswers: readonly CatalogModel[] = defaultCatalog.map((row) =>
  row.id === suiteModel ? { ...row, maxOutputTokens: 100 } : row,
);

/** Items of a batch cost half of what the same calls cost directly. */
export const batchSettings: GatewaySettings = {
  catalog: shortAnswers,
  tariff: {
    ...suiteTariff,
    models: {
      '*': {
        ...suiteTariff.models['*'],
        perMillion: suiteTariff.models['*']?.perMillion ?? {},
        batch: { factor: '0.5' },
      },
    },
  },
};

/** What a plain answer costs as an item. */
export const itemMicros = 10_000n;

export const entry = (key: string, request: unknown = helloBody) => ({ key, request });

export const batchOf = (...keys: readonly string[]) => ({ requests: keys.map((key) => entry(key)) });

/** Asks the routes of batches. */
export interface BatchClient {
  readonly create: (body: unknown, more?: More) => Promise<Answer>;
  /** The id of a batch that was created just now. */
  readonly created: (body: unknown, more?: More) => Promise<string>;
  readonly get: (id: string, more?: More) => Promise<Json>;
  readonly cancel: (id: string, more?: More) => Promise<Answer>;
  readonly remove: (id: string, more?: More) => Promise<Answer>;
  /** The results of a completed batch, by key. */
  readonly results: (id: string) => Promise<ReadonlyMap<string, Json>>;
}

export const batchClient = (world: GatewayWorld, key: string = world.key): BatchClient => {
  const create: BatchClient['create'] = (body, more = {}) => world.send({ key, ...more, path: '/batches', body });
  const get: BatchClient['get'] = async (id, more = {}) =>
    okJson(await world.send({ key, ...more, path: `/batches/${id}` }));
  return {
    create,
    created: async (body, more) =>
      okJson(await create(body, more))
        .at('id')
        .text(),
    get,
    cancel: (id, more = {}) => world.send({ key, ...more, method: 'POST', path: `/batches/${id}/cancel` }),
    remove: (id, more = {}) => world.send({ key, ...more, method: 'DELETE', path: `/batches/${id}` }),
    results: async (id) => {
      const results = (await get(id)).at('result', 'results').list();
      return new Map(results.map((result) => [result.at('key').text(), result]));
    },
  };
};
