import { defaultCatalog, silentLogger, type CatalogModel, type GatewayOptions, type TariffInput } from 'tollgate';
import { referenceProviders, referenceTools } from './reference-provider.ts';

/** Models of the two providers: one answers calls, the other one has batches, caches, stores and interactions of its own. */
export const callsModel = 'flash-2.5';
export const jobsModel = 'pro-2.5';
export const videoModel = 'video-3.1-generate-preview';

/** Whole micro-credits, so that the checks can do the sum by themselves. */
export const unitMicros: Readonly<Record<string, number>> = {
  input_text_tokens: 1,
  output_text_tokens: 4,
  video_seconds: 1_000,
  embedding_tokens: 2,
  indexing_tokens: 3,
  cache_token_seconds: 1,
  web_search_queries: 500,
};
/** The same for an item of a batch. */
export const batchUnitMicros: Readonly<Record<string, number>> = {
  ...unitMicros,
  input_text_tokens: 3,
  output_text_tokens: 7,
};

const kindsTariff: TariffInput = {
  version: 'torture-kinds-1',
  models: { '*': { perMillion: unitMicros, holdMinimum: '0.001', batch: { perMillion: batchUnitMicros } } },
};

/** Short ones, so that what a killed process leaves behind is processed within the run, and ownerless blobs as well. */
export const kindsLimits = {
  leaseMs: 2_500,
  renewMs: 500,
  sweepMs: 300,
  executionMs: 20_000,
  pendingBlobMs: 60_000,
  inlineAnswerBytesMax: 2_048,
};

/** A cache may be of any size here. */
const catalog: readonly CatalogModel[] = defaultCatalog.map(({ cacheTokensMin: _min, ...row }) => row);

/** As every process of a run assembles it, but for its storage. `url` is of the reference upstream. */
export const kindsOptions = (url: string): Omit<GatewayOptions, 'storage'> => {
  const { calls, jobs } = referenceProviders(url);
  return {
    provider: ({ id }) => (id === jobsModel || id === videoModel ? jobs : calls),
    catalog,
    tariff: kindsTariff,
    limits: kindsLimits,
    logger: silentLogger,
    tools: referenceTools(url),
    webhooks: false,
    interactions: { blobsKeptMs: kindsLimits.pendingBlobMs },
    batches: { itemsAtOnce: 3, batchesPerProject: 16 },
    indexing: {
      dimensions: 128,
      readPdf: null,
      limits: { chunkCharactersMax: 400, overlapCharacters: 40, textsPerCallMax: 2, documentsPerProject: 8 },
    },
  };
};
