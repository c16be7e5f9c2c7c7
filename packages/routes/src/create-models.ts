import type { CatalogModel, RouteFamily } from '@tollgate/contract';
import { servesInteractions, type Logger } from '@tollgate/engine';
import type { Provider } from '@tollgate/provider';
import type { ModelQuestion, Models, SelectModel } from './service.ts';

export interface ModelsOptions {
  readonly catalog: readonly CatalogModel[];
  /** Who serves a row, or null. */
  readonly providerOf: (model: CatalogModel) => Provider | null;
  /** The ids that a host enables; by default every model of the catalog. */
  readonly enabledModels?: readonly string[] | undefined;
  /** Chooses for keys bound to no model; by default the first recommended row that is available, else the first available. */
  readonly select?: SelectModel | undefined;
  /** Told of a choice that is none. */
  readonly logger: Logger;
  /** Whether there is a family of routes on which a call of it can be reserved for. */
  readonly isPriced: (model: CatalogModel) => boolean;
}

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

/** The row that a host's function chose: nothing where it throws, or chooses what is not there to choose. */
const chosenBy = (
  { select = firstRecommended, logger }: ModelsOptions,
  available: readonly CatalogModel[],
  question: ModelQuestion,
): CatalogModel | null => {
  const { keyId, request } = question;
  const asked = { requestId: request.id, code: 'select_model_failed', keyId, route: request.route };
  try {
    const chosen: unknown = select(available, question);
    if (chosen === null) return null;
    const id: unknown = typeof chosen === 'object' && chosen !== null && 'id' in chosen ? chosen.id : undefined;
    const row = available.find((candidate) => candidate.id === id);
    if (row !== undefined) return row;
    logger.error('selectModel chose no row that is available', { ...asked, reason: 'nonsense' });
  } catch (cause) {
    logger.error('selectModel failed', { ...asked, reason: 'threw', cause });
  }
  return null;
};

/** Looks the catalog up by id; two rows of one id are refused. */
export const createModels = (options: ModelsOptions): Models => {
  const byId = new Map(options.catalog.map((model) => [model.id, model]));
  if (byId.size !== options.catalog.length) throw new TypeError('two entries of the catalog have the same id');
  const enabledModels = options.enabledModels === undefined ? null : new Set(options.enabledModels);
  const isEnabled = (model: CatalogModel): boolean => enabledModels === null || enabledModels.has(model.id);
  const providerOf = (model: CatalogModel): Provider | null => serving(options.providerOf(model), model);
  const isAvailable = (model: CatalogModel): boolean =>
    isEnabled(model) && options.isPriced(model) && providerOf(model) !== null;
  return {
    rows: options.catalog,
    find: (id) => byId.get(id) ?? null,
    providerOf,
    selectAutomatically: (question, allowed = null) => {
      const { route } = question.request;
      // Who chooses by the list alone chooses among those for chat; a host that chooses by the route finds those of the route too.
      const families: readonly RouteFamily[] = options.select === undefined ? ['chat'] : ['chat', route];
      const isOffered = (model: CatalogModel): boolean => families.some((family) => model.routes.includes(family));
      return chosenBy(
        options,
        options.catalog.filter(
          (model) => (allowed === null || allowed.includes(model.id)) && isOffered(model) && isAvailable(model),
        ),
        question,
      );
    },
    isPriced: options.isPriced,
    isEnabled,
  };
};
