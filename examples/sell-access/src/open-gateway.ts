// The gateway of one process: prices by plan, limits that all processes share, hooks and metrics.
import { postgresLimits } from '@tollgate/limits';
import { postgresStorage } from '@tollgate/storage-postgres';
import type { Telemetry } from '@tollgate/telemetry';
import { prometheus, type Prometheus } from '@tollgate/telemetry/prometheus';
import { createGateway, sandboxProvider, type Gateway, type GatewayOptions, type TariffInput } from 'tollgate';
import type { Books } from './books.ts';
import type { Settings } from './settings.ts';

export const gatewaySchema = 'tollgate';

/** What users pay. A credit is a dollar; the plan `pro` pays a fifth less. */
const tariff: TariffInput = {
  version: 'shop-1',
  models: {
    'flash-2.5': { perMillion: { input_text_tokens: '200', output_text_tokens: '800' }, requestFee: '0.01' },
    'flash-3.8': { perMillion: { input_text_tokens: '400', output_text_tokens: '1600' }, requestFee: '0.01' },
  },
  plans: { starter: {}, pro: { factor: '0.8' } },
};

/** What every key, and every account with all of its keys, may do in a minute. */
const limitsOf = () => ({
  key: { requestsPerMinute: 600 },
  account: { requestsPerMinute: 1_200, concurrentRequests: 20 },
});

export interface OpenGateway {
  readonly gateway: Gateway;
  readonly metrics: Prometheus['metricsHandler'];
}

/** What only the processes that serve have. */
export interface Serving {
  /** Recognises the user of a page by its session. */
  readonly authenticate?: NonNullable<GatewayOptions['authenticate']>;
  /** Sends traces and metrics to a collector, where one is named. */
  readonly traced?: Telemetry | null;
}

export const openGateway = async (
  { databaseUrl, contextSecret }: Settings,
  { hooks }: Books,
  { authenticate = () => null, traced = null }: Serving = {},
): Promise<OpenGateway> => {
  const scraped = prometheus();
  const observers = traced === null ? [scraped] : [scraped, traced];
  const gateway = await createGateway({
    storage: await postgresStorage({
      connectionString: databaseUrl,
      schema: gatewaySchema,
      migrate: false,
      onBatch: (batch) => observers.forEach((observer) => observer.onBatch(batch)),
    }),
    // The offline model; a shop takes `openaiProvider`, `routedProvider` or another one.
    provider: sandboxProvider(),
    compatibility: { openai: true },
    limiter: await postgresLimits({ connectionString: databaseUrl, limitsOf }),
    enabledModels: Object.keys(tariff.models),
    tariff,
    contextSecret,
    hooks,
    observers,
    probes: true,
    keyPrefix: 'shop_',
    authenticate,
  });
  return { gateway, metrics: scraped.metricsHandler };
};
