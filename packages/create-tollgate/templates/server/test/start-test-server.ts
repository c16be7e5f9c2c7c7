import { startServer } from '../src/server.ts';
import { createTestWorld } from './create-test-world.ts';

export type TestServer = Awaited<ReturnType<typeof startTestServer>>;

/** Starts the whole server on a free port. */
export const startTestServer = async () => {
  const world = await createTestWorld();
  const server = await startServer({ ...world.environment, PORT: '0' });
  return {
    origin: server.origin,
    gateway: server.gateway,
    close: async (): Promise<void> => {
      await server.close();
      await world.close();
    },
  };
};
