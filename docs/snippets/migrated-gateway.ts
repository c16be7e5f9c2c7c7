import { createGateway, importedKeys, type CatalogModel, type Gateway, type GatewayOptions } from 'tollgate';

// #region catalog
const text = {
  family: 'text',
  profile: 'General model for text and images.',
  consumption: 'Charged by input and output token.',
  recommended: false,
  preview: false,
  upstreamKind: 'model',
  routes: ['chat', 'generate', 'interactions'],
  capabilities: ['chat', 'image_input', 'structured_output', 'functions'],
  maxOutputTokens: 16_384,
  contextTokens: 128_000,
} as const;

/** The ids are the names that clients send already; `upstreamId` is what the upstream calls the model. */
export const catalog: readonly CatalogModel[] = [
  { ...text, id: 'gpt-4o', name: 'GPT-4o', upstreamId: 'gpt-4o', recommended: true },
  { ...text, id: 'gpt-4o-mini', name: 'GPT-4o mini', upstreamId: 'gpt-4o-mini' },
  {
    ...text,
    id: 'text-embedding-3-small',
    name: 'Text embedding 3 small',
    upstreamId: 'text-embedding-3-small',
    family: 'embedding',
    routes: ['embeddings'],
    capabilities: ['text_embedding'],
    maxOutputTokens: 0,
    contextTokens: 8_192,
  },
];
// #endregion catalog

// #region gateway
/** `options` has the storage, the provider and the price list. */
export const openMigrated = (options: GatewayOptions, imported = 'imported.jsonl'): Promise<Gateway> =>
  createGateway({
    catalog,
    // Old keys go on working.
    authenticate: importedKeys(imported),
    // Clients of OpenAI's API work unchanged.
    compatibility: { openai: true },
    // A line for each request, so that you see every 401 and 402.
    requestLog: true,
    ...options,
  });
// #endregion gateway
