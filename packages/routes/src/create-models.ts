import type { CatalogModel, RouteFamily } from '@tollgate/contract';
import { servesInteractions } from '@tollgate/engine';
import type { Provider } from '@tollgate/provider';
import type { Models } from './service.ts';

export interface ModelsOptions {
  readonly catalog: readonly CatalogModel[];
  /** Who serves a row, or null. */
  readonly providerOf: (model: CatalogModel) => Provider | null;
  /** The ids a host has released; without it every row of the catalog is. */
  readonly released?: readonly string[];
  /** Chooses for keys bound to no model; by default the first recommended row that is available, else the first available. */
  readonly select?: (available: readonly CatalogModel[]) => CatalogModel | null;
  /** Whether a row has prices. */
  readonly isPriced: (model: CatalogModel) => boolean;
}

const chatCapable = (model: CatalogModel): boolean => model.routes.includes('chat');

const firstRecommended = (available: readonly CatalogModel[]): CatalogModel | null =>
  available.find((model) => model.recommended) ?? available[0] ?? null;

type Method = 'generate' | 'generateStream' | 'embed' | 'videos' | 'live';

/** The methods of which one serves the routes of a family. */
const methodsOf: Readonly<Record<Exclude<RouteFamily, 'interactions'>, readonly Method[]>> = {
  chat: ['generate', 'generateStream'],
  generate: ['generate', 'generateStream'],
  embeddings: ['embed'],
  videos: ['videos'],
  live: ['live'],
};

/** A method of a provider is a capability: a model whose routes it cannot serve is not available. */
const serves = (provider: Provider, row: CatalogModel, family: RouteFamily): boolean =>
  family === 'interactions'
    ? servesInteractions({ row, provider })
    : methodsOf[family].some((method) => provider[method] !== undefined);

const serving = (provider: Provider | null, model: CatalogModel): Provider | null =>
  provider !== null && model.routes.some((family) => serves(provider, model, family)) ? provider : null;

/** Looks the catalog up by id; two rows of one id are refused. */
export const createModels = (options: ModelsOptions): Models => {
  const byId = new Map(options.catalog.map((model) => [model.id, model]));
  if (byId.size !== options.catalog.length) throw new TypeError('two rows of the catalog have the same id');
  const released = options.released === undefined ? null : new Set(options.released);
  const isReleased = (model: CatalogModel): boolean => released === null || released.has(model.id);
  const providerOf = (model: CatalogModel): Provider | null => serving(options.providerOf(model), model);
  const isAvailable = (model: CatalogModel): boolean =>
    isReleased(model) && options.isPriced(model) && providerOf(model) !== null;
  const select = options.select ?? firstRecommended;
  return {
    rows: options.catalog,
    find: (id) => byId.get(id) ?? null,
    providerOf,
    selectAutomatically: () => select(options.catalog.filter((model) => chatCapable(model) && isAvailable(model))),
    isReleased,
  };
};
