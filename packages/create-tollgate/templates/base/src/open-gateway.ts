import { createGateway, type Gateway } from 'tollgate';
import { required, type Environment } from './environment.ts';
import { modelsOf } from './models.ts';
import { prices } from './prices.ts';
import { openProvider } from './provider.ts';
import { openStorage } from './storage.ts';

/** How long running requests may take to finish after a signal. What stops the process must wait a little longer. */
export const drainMs = 25_000;

/** Opens the gateway: where it stores its data, which models it sells, and what they cost. */
export const openGateway = async (environment: Environment = process.env): Promise<Gateway> =>
  createGateway({
    storage: await openStorage(environment),
    provider: openProvider(environment),
    catalog: modelsOf(environment),
    tariff: prices,
    // Clients of OpenAI's API work unchanged.
    compatibility: { openai: true },
    contextSecret: required(environment, 'TOLLGATE_CONTEXT_SECRET'),
    // GET /healthz and GET /readyz.
    probes: true,
  });
