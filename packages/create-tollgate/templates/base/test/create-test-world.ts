import { createTestDatabase } from './test-database.ts';
import { startUpstream } from './upstream.ts';

/** What a server needs around it: a database and an upstream for one test alone, and the settings that name them. */
export const createTestWorld = async () => {
  const database = await createTestDatabase();
  const upstream = await startUpstream();
  return {
    environment: {
      ...database.environment,
      ...upstream.environment,
      TOLLGATE_CONTEXT_SECRET: 'a secret for tests of 32 characters or more',
      // #if payments=stripe
      STRIPE_SECRET_KEY: 'sk_test_x',
      STRIPE_WEBHOOK_SECRET: 'whsec_test',
      // #endif
    },
    close: async (): Promise<void> => {
      upstream.close();
      await database.drop();
    },
  };
};
