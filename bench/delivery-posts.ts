import { Agent, request } from 'node:https';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Pool } from 'undici';
import { bodyOf, hooks } from './delivery-records.ts';

/** Where posts go. */
export interface PostPlace {
  readonly port: number;
  /** Of the receivers, in PEM. */
  readonly certificates: string;
  /** Connections in all, of which each host has its part. */
  readonly socketsMax: number;
}

/** Posts the body of an event, and resolves when the receiver has acknowledged it. */
export interface BarePosts {
  readonly post: (at: number) => Promise<void>;
  readonly close: () => void;
}

const hostOf = (at: number): string => `hook-${at}.example.com`;

/** Of the same length as signed ones. */
const headers = {
  'content-type': 'application/json',
  'x-service-event-id': '01a1f7dd-0000-7000-8000-000000000000',
  'x-service-timestamp': '1795147200',
  'x-service-signature': `v1=${'0'.repeat(64)}`,
};

export const nodePosts = ({ port, certificates, socketsMax }: PostPlace): BarePosts => {
  const agents = Array.from(
    { length: hooks },
    (_, at) => new Agent({ keepAlive: true, maxSockets: socketsMax / hooks, ca: certificates, servername: hostOf(at) }),
  );
  return {
    post: (at) =>
      new Promise((resolve, reject) => {
        const agent = agents[at % hooks];
        const options = { host: '127.0.0.1', port, method: 'POST', path: '/', headers, ...(agent && { agent }) };
        const outgoing = request(options, (answer) => answer.resume().on('end', resolve));
        outgoing.on('error', reject).end(bodyOf(at));
      }),
    close: () => {
      for (const agent of agents) agent.destroy();
    },
  };
};

export const undiciPosts = ({ port, certificates, socketsMax }: PostPlace): BarePosts => {
  const pools = Array.from(
    { length: hooks },
    (_, at) =>
      new Pool(`https://${hostOf(at)}`, {
        connections: socketsMax / hooks,
        pipelining: 1,
        connect: (_options, callback) => {
          const options = { servername: hostOf(at), ca: certificates, ALPNProtocols: ['http/1.1'] };
          const socket = connectTls({ socket: connect(port, '127.0.0.1'), ...options });
          socket
            .once('secureConnect', () => callback(null, socket))
            .once('error', (cause: Error) => callback(cause, null));
        },
      }),
  );
  return {
    post: async (at) => {
      const answer = await pools[at % hooks]?.request({ method: 'POST', path: '/', headers, body: bodyOf(at) });
      await answer?.body.dump();
    },
    close: () => {
      for (const pool of pools) void pool.destroy();
    },
  };
};
