import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { receiverCertificate, receiverKey } from './receiver-certificate.ts';

/** The way from a gateway to the receiver: names that a case decides on, and connections that all end at the receiver. */
export interface ReceiverRoute {
  /** The IPv4 addresses of a name. */
  readonly resolve: (hostname: string) => Promise<readonly string[]>;
  readonly connect: (target: { readonly addresses: readonly string[] }) => Socket;
  readonly certificates: string;
}

/** One post as it arrived. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ReceiverAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A receiver of webhooks at `https://hooks.example.com`, on a socket of this machine. */
export interface Receiver {
  readonly route: ReceiverRoute;
  readonly url: string;
  readonly received: readonly Received[];
  /** What names lead to; every name that is not in it leads to one public address. */
  readonly names: Map<string, readonly string[]>;
  /** The addresses that each connection was allowed to go to. */
  readonly dialled: readonly (readonly string[])[];
  /** What is answered, as long as nothing else is set: 200. */
  answer: (received: Received) => ReceiverAnswer | Promise<ReceiverAnswer>;
  readonly close: () => Promise<void>;
}

export const publicAddress = '93.184.215.14';

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return text;
};

export const startReceiver = async (): Promise<Receiver> => {
  const received: Received[] = [];
  const dialled: (readonly string[])[] = [];
  const names = new Map<string, readonly string[]>();
  const server = createServer({ cert: receiverCertificate, key: receiverKey }, (request, response) => {
    const reply = async (): Promise<void> => {
      const one = { path: request.url ?? '', headers: request.headers, body: await textOf(request) };
      received.push(one);
      const { status, headers = {} } = await receiver.answer(one);
      response.writeHead(status, headers).end();
    };
    reply().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const receiver: Receiver = {
    url: 'https://hooks.example.com/in',
    received,
    names,
    dialled,
    answer: () => ({ status: 200 }),
    route: {
      resolve: (hostname) => Promise.resolve(names.get(hostname) ?? [publicAddress]),
      connect: ({ addresses }) => {
        dialled.push(addresses);
        return connect(port, '127.0.0.1');
      },
      certificates: receiverCertificate,
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
};

/** The only post that arrived. */
export const onlyReceived = ({ received }: Receiver): Received => {
  const [first] = received;
  assert.ok(first !== undefined && received.length === 1, `${received.length} posts arrived`);
  return first;
};
