import { postgresLimits } from '@tollgate/limits';
import { postgresStorage } from '@tollgate/storage-postgres';
import { createGateway, type Gateway, type GatewayOptions } from 'tollgate';

// #region gateway
/** A gateway for strangers: what it stores is sealed, and what they may do has limits. */
export const openForStrangers = async (
  options: Pick<GatewayOptions, 'provider' | 'tariff'>,
  { connectionString, contextSecret }: { readonly connectionString: string; readonly contextSecret: string },
): Promise<Gateway> =>
  createGateway({
    ...options,
    storage: await postgresStorage({ connectionString }),
    contextSecret,
    limiter: await postgresLimits({
      connectionString,
      limitsOf: () => ({ key: { requestsPerMinute: 600, concurrentRequests: 20 } }),
    }),
    quotas: { keptBytesMax: 1_073_741_824, filesMax: 500 },
  });
// #endregion gateway
