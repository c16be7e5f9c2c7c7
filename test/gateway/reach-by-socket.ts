import { dialSocket } from '@tollgate/testing/gateway';
import { serve, type Gateway } from 'tollgate';
import type { Reached } from './open-in-process.ts';

/** Serves the gateway on a free port, and asks it with the runtime's own client over a real socket. */
export const reachBySocket = async (gateway: Gateway): Promise<Reached> => {
  const { jobs, ...servable } = gateway;
  // The suite does the background work itself, by its own clock.
  const server = await serve(
    { ...servable, jobs: { ...jobs, start: () => {} } },
    {
      port: 0,
      drainMs: 0,
      live: { unknownPerAddressMax: 200 },
    },
  );
  return {
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      return fetch(new Request(`${server.origin}${pathname}${search}`, request));
    },
    socket: (path, origin) => dialSocket(`${server.origin.replace('http', 'ws')}${path}`, origin),
    close: () => server.close(),
  };
};
