import { createServer, type Server } from 'node:http';
import { createGateway, sandboxProvider, sqliteStorage, type Gateway } from 'tollgate';
import { createApp } from './create-app.ts';

export interface StartedServer {
  /** `http://host:port`. */
  readonly origin: string;
  readonly gateway: Gateway;
  /** Accepts nothing more, lets requests of either kind finish, and closes the gateway's storage. */
  readonly close: () => Promise<void>;
}

const host = '127.0.0.1';
const drainMs = 25_000;
/** How long answers that are ready may take to reach their clients. */
const flushMs = 1_000;

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

const closeAll = async (server: Server, gateway: Gateway): Promise<void> => {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  await gateway.close({ drainMs });
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), flushMs).unref();
  await closed;
};

/** Starts the application with its gateway; port 0 takes a free one. */
export const startServer = async (options: {
  readonly port: number;
  readonly database: string;
}): Promise<StartedServer> => {
  const gateway = await createGateway({
    storage: sqliteStorage({ path: options.database }),
    provider: sandboxProvider(),
  });
  const server = createServer(createApp(gateway));
  await listen(server, options.port);
  gateway.jobs.start();
  let closing: Promise<void> | null = null;
  return {
    origin: `http://${host}:${portOf(server)}`,
    gateway,
    close: () => (closing ??= closeAll(server, gateway)),
  };
};
