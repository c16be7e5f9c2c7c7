import {
  createGateway,
  defaultCatalog,
  openaiProvider,
  sandboxProvider,
  sqliteStorage,
  type Gateway,
  type TariffInput,
} from 'tollgate';

// #region tariff
/** Credits for one million units. A version stands for these prices for ever: other prices need another version. */
export const tariff: TariffInput = {
  version: '2026-11-01',
  models: {
    'flash-3.8': {
      perMillion: { input_text_tokens: '0.30', cached_input_tokens: '0.075', output_text_tokens: '2.50' },
      holdMinimum: '0.001',
    },
    // Every model without prices of its own.
    '*': { perMillion: { input_text_tokens: '1', output_text_tokens: '8', url_fetches: '1000' } },
  },
};
// #endregion tariff

// #region tiers
/** Long requests cost more, and each request has a fee. */
export const tieredTariff: TariffInput = {
  version: '2026-12-01',
  models: {
    'flash-3.8': {
      perMillion: { input_text_tokens: '1', cached_input_tokens: '0.1', output_text_tokens: '4' },
      tiers: [
        {
          above: 200_000,
          perMillion: { input_text_tokens: '2', cached_input_tokens: '0.2', output_text_tokens: '6' },
        },
      ],
      requestFee: '0.0001',
    },
  },
};
// #endregion tiers

// #region units-max
/** The image models of the catalog, each of which makes at most four images in one response. */
export const imageModels = defaultCatalog
  .filter(({ family }) => family === 'image')
  .map((row) => ({ ...row, unitsMax: { images: 4 } }));
// #endregion units-max

// #region moderation
/** The catalog, and a model that judges. `enabledModels` and the price list name it as any other. */
export const withJudge = [
  ...defaultCatalog,
  ...defaultCatalog
    .filter(({ id }) => id === 'flash-3.8')
    .map((row) => ({
      ...row,
      id: 'judge-1',
      upstreamId: 'omni-moderation-latest',
      recommended: false,
      routes: ['generate'] as const,
      capabilities: ['moderation', 'image_input'],
      maxOutputTokens: 0,
    })),
];
// #endregion moderation

// #region options
export const openGateway = (upstreamKey: string, path = '/var/lib/gateway/tollgate.db'): Promise<Gateway> => {
  const upstream = openaiProvider({ baseUrl: 'https://models.example.com/v1', apiKey: upstreamKey });
  const testMode = sandboxProvider();
  return createGateway({
    storage: sqliteStorage({ path }),
    // One provider for every model, or a function that chooses one by model entry.
    provider: (model) => (model.id.startsWith('open-') ? testMode : upstream),
    catalog: defaultCatalog.map((row) => (row.id === 'flash-3.8' ? { ...row, upstreamId: 'vendor/fast-1' } : row)),
    enabledModels: ['flash-3.8', 'open-4-31b-it'],
    tariff,
    brand: 'service',
    compatibility: { openai: true },
    overrun: 'pending',
    limits: { executionMs: 300_000, recordKeptMs: null },
  });
};
// #endregion options

// #region select-model
/** Projects on trial get the lightest model for chat, and the first model of the routes that they ask otherwise. */
export const trialGateway = (isOnTrial: (projectId: string) => boolean): Promise<Gateway> =>
  createGateway({
    tariff,
    selectModel: (available, { projectId, request }) => {
      const able = available.filter(({ routes }) => routes.includes(request.route));
      const light = able.find(({ id }) => id === 'flash-lite-3.5');
      return (
        (isOnTrial(projectId) ? light : undefined) ?? able.find(({ recommended }) => recommended) ?? able[0] ?? null
      );
    },
  });
// #endregion select-model

// #region secrets
/** The new secret seals from now on; data sealed with the old one can still be opened. */
export const changedSecret = ({ fresh, old }: Readonly<Record<'fresh' | 'old', string>>): Promise<Gateway> =>
  createGateway({ tariff, contextSecret: [fresh, old] });
// #endregion secrets

// #region limiter
/** Refuses with 429 and Retry-After, before anything is registered. */
export const limitedGateway = (isOverRate: (keyId: string) => boolean): Promise<Gateway> =>
  createGateway({
    tariff,
    limiter: async ({ keyId, route }) =>
      route === 'createChatCompletion' && isOverRate(keyId) ? { kind: 'limited', retryAfterMs: 2_000 } : { kind: 'ok' },
  });
// #endregion limiter

// #region quotas
export const openBounded = (): Promise<Gateway> =>
  createGateway({
    quotas: { keptBytesMax: 1_073_741_824, filesMax: 500, webhooksMax: null },
  });
// #endregion quotas

// #region project-quotas
/** More for a project that pays for it, and its present usage. */
export const giveRoom = async ({ admin }: Gateway, projectId: string): Promise<number> => {
  await admin.setProjectQuotas(projectId, { filesMax: 5_000 });
  const found = await admin.readProjectQuotas(projectId);
  return found?.used.files ?? 0;
};
// #endregion project-quotas
