import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import type { EgressOptions } from '@tollgate/node';

/** Stands for the public web: every name leads to one server of the test, except those that a test sends elsewhere. */
export interface SmallInternet {
  readonly egress: Required<Pick<EgressOptions, 'resolve' | 'connect' | 'schemes'>>;
  /** Where connections went, by name. */
  readonly connected: readonly string[];
  readonly close: () => void;
}

const publicAddress = '93.184.215.14';

export const startSmallInternet = async (
  listener: RequestListener,
  addresses: Readonly<Record<string, readonly string[]>> = {},
): Promise<SmallInternet> => {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('it does not listen on a port');
  const { port } = address;
  const connected: string[] = [];
  return {
    connected,
    egress: {
      schemes: ['http', 'https'],
      resolve: async (name) => addresses[name] ?? [publicAddress],
      connect: ({ url }) => {
        connected.push(url.hostname);
        return connect(port, '127.0.0.1');
      },
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

export const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};
