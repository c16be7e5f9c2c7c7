import { startServer } from '../src/server.ts';
import { createTestDatabase } from './test-database.ts';
import { startUpstream } from './upstream.ts';

export type TestServer = Awaited<ReturnType<typeof startTestServer>>;

/** Starts the whole server on a free port, with a database and an upstream for this test alone. */
export const startTestServer = async () => {
  const database = await createTestDatabase();
  const upstream = await startUpstream();
  const environment = {
    ...database.environment,
    ...upstream.environment,
    PORT: '0',
    CONTEXT_SECRET: 'a secret for tests of 32 characters or more',
    // #if payments=stripe
    STRIPE_SECRET_KEY: 'sk_test_x',
    STRIPE_WEBHOOK_SECRET: 'whsec_test',
    // #endif
  };
  const server = await startServer(environment);
  return {
    origin: server.origin,
    gateway: server.gateway,
    close: async (): Promise<void> => {
      await server.close();
      upstream.close();
      await database.drop();
    },
  };
};
