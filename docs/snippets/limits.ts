import { memoryLimits, postgresLimits } from '@tollgate/limits';
import type { Gateway, GatewayOptions, UsageLimiter } from 'tollgate';

// #region memory
/** Each key 600 requests and 2,000,000 tokens a minute; each account 50 requests at once. */
export const limited: GatewayOptions = {
  limiter: memoryLimits({
    limitsOf: () => ({
      key: { requestsPerMinute: 600, tokensPerMinute: 2_000_000 },
      account: { concurrentRequests: 50 },
    }),
  }),
};
// #endregion memory

// #region postgres
/** The same for all processes of a host together. */
export const shared = async (connectionString: string): Promise<GatewayOptions> => ({
  limiter: await postgresLimits({
    connectionString,
    limitsOf: () => ({
      key: { requestsPerMinute: 600, tokensPerMinute: 2_000_000 },
      account: { concurrentRequests: 50 },
    }),
  }),
});
// #endregion postgres

// #region create-schema
/** A step of the deployment, with the role that owns the tables. */
export const createLimitsSchema = async (ownerConnectionString: string): Promise<void> => {
  const limiter = await postgresLimits({ connectionString: ownerConnectionString });
  await limiter.close?.();
};
// #endregion create-schema

// #region records
/** A customer with 20 requests at once, of which one of its projects has 5. */
export const limitCustomer = async ({ admin }: Gateway, accountId: string, projectId: string): Promise<void> => {
  await admin.changeAccount(accountId, { limits: { concurrentRequests: 20, tokensPerMinute: 1_000_000 } });
  await admin.changeProject(projectId, { limits: { concurrentRequests: 5 } });
};
// #endregion records

// #region plans
const limitsOfPlan = {
  free: { requestsPerMinute: 20, concurrentRequests: 2 },
  pro: { requestsPerMinute: 1_200, concurrentRequests: 50 },
} as const;

/** Gives an account a plan together with its limits. */
export const changePlan = async ({ admin }: Gateway, accountId: string, plan: 'free' | 'pro'): Promise<void> => {
  await admin.changeAccount(accountId, { plan, limits: limitsOfPlan[plan] });
};
// #endregion plans

// #region own
/** One request of each account at a time. */
export const oneByOne = (): UsageLimiter => {
  const running = new Set<string>();
  return {
    reserve: ({ caller: { accountId }, takes }) => {
      if (takes.concurrency === 0) return { kind: 'admitted', ticket: { release: () => undefined } };
      if (running.has(accountId))
        return { kind: 'limited', level: 'account', amount: 'concurrency', limit: 1, retryAfterMs: 500 };
      running.add(accountId);
      return { kind: 'admitted', ticket: { release: () => void running.delete(accountId) } };
    },
  };
};
// #endregion own
