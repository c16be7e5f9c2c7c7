import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { isPublicAddress } from './public-address.ts';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const certificates = read('receivers-certificate.pem');

/** How a receiver behaves; the first word of its name says so. */
export const conducts = ['honest', 'flaky', 'fail', 'hang', 'redirect', 'drip', 'reset', 'rebind'] as const;
export type Conduct = (typeof conducts)[number];

const conductOf = (host: string): Conduct => {
  const found = conducts.find((conduct) => host.startsWith(`${conduct}-`));
  if (found === undefined) throw new Error(`no host is ${host}`);
  return found;
};

export interface Receivers {
  readonly certificates: string;
  /** The way to them, which counts what leads elsewhere. */
  readonly connect: (target: { readonly addresses: readonly string[] }) => Socket;
  /** How often each event came to each host: `host event`. */
  readonly tries: ReadonlyMap<string, number>;
  /** What they acknowledged, in the same form. */
  readonly acknowledged: ReadonlySet<string>;
  /** Connections to addresses that are not public. It has to stay at 0. */
  readonly forbidden: () => number;
  readonly close: () => Promise<void>;
}

const portOf = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

/** A redirect to a forbidden address: a number, and a name that leads inside. */
const temptations = (port: number): readonly string[] => [`https://127.0.0.1:${port}/`, 'https://inside.example.com/'];

const dripMs = 40;

/** Receivers of every conduct on one socket of this machine, told apart by their names. */
export const startReceivers = async (): Promise<Receivers> => {
  const tries = new Map<string, number>();
  const acknowledged = new Set<string>();
  let forbidden = 0;
  const inside = createServer((socket) => {
    forbidden += 1;
    socket.destroy();
  });
  const insidePort = await portOf(inside);
  const answers: Readonly<Record<Conduct, (key: string, ...rest: Parameters<RequestListener>) => void>> = {
    honest: (key, _, response) => {
      acknowledged.add(key);
      response.writeHead(200).end();
    },
    flaky: (key, _, response) => {
      const isUp = (tries.get(key) ?? 0) > 2;
      if (isUp) acknowledged.add(key);
      response.writeHead(isUp ? 204 : 503).end();
    },
    fail: (_, __, response) => void response.writeHead(500).end(),
    hang: () => undefined,
    redirect: (key, _, response) => {
      const [first, second] = temptations(insidePort);
      response.writeHead(307, { location: (tries.get(key) ?? 0) % 2 === 0 ? first : second }).end();
    },
    drip: (_, request) => {
      request.socket.write('HTTP/1.1 200 OK\r\n');
      const dripping = setInterval(() => request.socket.write('x-drip: y\r\n'), dripMs);
      request.socket.on('close', () => clearInterval(dripping));
    },
    reset: (_, request) => void request.socket.destroy(),
    rebind: (_, __, response) => void response.writeHead(500, { connection: 'close' }).end(),
  };
  const server = createTlsServer({ cert: certificates, key: read('receivers-key.pem') }, (request, response) => {
    const host = request.headers.host ?? '';
    const key = `${host} ${String(request.headers['x-service-event-id'])}`;
    tries.set(key, (tries.get(key) ?? 0) + 1);
    request.resume().on('end', () => answers[conductOf(host)](key, request, response));
  });
  const port = await portOf(server);
  return {
    certificates,
    connect: ({ addresses }) => {
      if (addresses.every(isPublicAddress)) return connect(port, '127.0.0.1');
      forbidden += 1;
      return connect(insidePort, '127.0.0.1');
    },
    tries,
    acknowledged,
    forbidden: () => forbidden,
    close: async () => {
      server.closeAllConnections();
      server.close();
      inside.close();
      await Promise.all([once(server, 'close'), once(inside, 'close')]);
    },
  };
};
