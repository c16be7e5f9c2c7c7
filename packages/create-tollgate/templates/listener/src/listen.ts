import type { Server } from 'node:http';
import { attachLive, toListenError, type AttachedLive, type Gateway, type RunningServer } from 'tollgate';
import { addressOf } from './address.ts';
import type { Environment } from './environment.ts';
import { drainMs } from './open-gateway.ts';

/** How long responses that are ready may take to reach their clients when the server closes. */
const flushMs = 1_000;

const closeAll = async (server: Server, gateway: Gateway, sessions: AttachedLive): Promise<void> => {
  // No new sockets while the running requests finish.
  sessions.detach();
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  await gateway.close({ drainMs });
  server.closeIdleConnections();
  setTimeout(() => {
    server.closeAllConnections();
    sessions.terminate();
  }, flushMs).unref();
  await closed;
};

const originOf = (server: Server, host: string): string => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port');
  return `http://${host}:${address.port}`;
};

/** Listens with a server that passes requests to the gateway, and runs the gateway's jobs. */
export const listen = async (
  server: Server,
  gateway: Gateway,
  environment: Environment,
): Promise<RunningServer & { readonly gateway: Gateway }> => {
  const { host, port } = addressOf(environment);
  const sessions = attachLive(server, gateway.live);
  await new Promise<void>((resolve, reject) => {
    const fail = (cause: Error): void => reject(toListenError(cause, port, host));
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      resolve();
    });
  });
  // Only this process can renew the leases of the requests that it runs.
  gateway.jobs.start();
  let closing: Promise<void> | null = null;
  return {
    origin: originOf(server, host),
    server,
    gateway,
    close: () => (closing ??= closeAll(server, gateway, sessions)),
  };
};
