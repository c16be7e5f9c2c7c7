import {
  createGateway,
  openaiProvider,
  type CatalogModel,
  type Gateway,
  type GatewayOptions,
  type SelectModel,
} from 'tollgate';

// #region catalog
/** What both models can do. A request for anything else is refused before it reaches the upstream. */
const shared = {
  family: 'text',
  preview: false,
  upstreamKind: 'model',
  routes: ['chat', 'generate', 'interactions'],
  capabilities: ['chat', 'image_input', 'structured_output', 'functions'],
  maxOutputTokens: 32_768,
  contextTokens: 128_000,
} as const;

/** The ids are yours: clients send them, and the price list names them. `upstreamId` is the name that the upstream knows. */
export const catalog: readonly CatalogModel[] = [
  {
    ...shared,
    id: 'small',
    name: 'Small',
    profile: 'Fast, for short answers.',
    consumption: 'Charged by token at the lower price.',
    recommended: true,
    upstreamId: 'qwen3-8b',
  },
  {
    ...shared,
    id: 'large',
    name: 'Large',
    profile: 'Thorough, for long work.',
    consumption: 'Charged by token at the higher price.',
    recommended: false,
    upstreamId: 'qwen3-235b',
  },
];

export const openWithModels = (options: GatewayOptions = {}): Promise<Gateway> =>
  createGateway({
    provider: openaiProvider({ baseUrl: 'http://127.0.0.1:8000/v1', apiKey: 'the key of the upstream' }),
    catalog,
    tariff: {
      version: '2026-11-01',
      models: {
        small: { perMillion: { input_text_tokens: '0.2', output_text_tokens: '0.8' } },
        large: { perMillion: { input_text_tokens: '1', output_text_tokens: '4' } },
      },
    },
    ...options,
  });
// #endregion catalog

// #region select
/** The model of a call that names none: the large one for `generate`, else the first that is recommended. */
export const selectModel: SelectModel = (available, { request }) =>
  available.find(({ id }) => request.route === 'generate' && id === 'large') ??
  available.find(({ recommended }) => recommended) ??
  null;
// #endregion select
