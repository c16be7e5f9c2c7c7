import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

/** One event as it arrived. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The raw body. */
  readonly body: string;
}

/** Where the gateway delivers events: a port of this machine, to which the host leads a public address. */
export interface Receiver {
  /** The public address, without a path of its own. */
  readonly url: string;
  /** The port of this machine. */
  readonly port: number;
  /** What arrived at a path, in order. */
  readonly at: (path: string) => readonly Received[];
  /** What is returned at a path from now on: 200 by default. */
  readonly respond: (path: string, status: number) => void;
  /** Leaves what arrives at a path without a response until the function that is returned is called. */
  readonly hold: (path: string) => () => void;
  readonly close: () => Promise<void>;
}

const bodyBytesMax = 1_000_000;

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > bodyBytesMax) throw new Error('the body of an event is too large');
  }
  return text;
};

export const startReceiver = async (options: { readonly url: string; readonly port: number }): Promise<Receiver> => {
  const received: Received[] = [];
  const statuses = new Map<string, number>();
  const held = new Map<string, Promise<void>>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const reply = async (): Promise<void> => {
      const body = await textOf(request);
      received.push({ path, headers: request.headers, body });
      await held.get(path);
      const status = statuses.get(path) ?? 200;
      response.writeHead(status, status === 302 ? { location: `${path}/elsewhere` } : {}).end();
    };
    reply().catch(() => response.destroy());
  });
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    url: options.url.replace(/\/+$/u, ''),
    at: (path) => received.filter((one) => one.path === path),
    respond: (path, status) => {
      statuses.set(path, status);
    },
    hold: (path) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(path, promise);
      return resolve;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
