import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { callable, checkConfiguration, optionsCheck, whole } from '@tollgate/contract/configuration';
import type { Logger } from '@tollgate/engine';
import type { LiveRelay, LiveWire, UpgradeRequest } from '@tollgate/live';
import { letsIn } from '@tollgate/routes';
import type { WebSocket, WebSocketServer } from 'ws';
import { toLiveSocket } from './live-socket.ts';
import { splitAddress } from './node-address.ts';
import { nodeHttp } from './node-http.ts';
import { toHeaders } from './to-headers.ts';
import { createUnknownSockets, type UnknownSockets } from './unknown-sockets.ts';
import { warmReceiver } from './warm-receiver.ts';

/** The sessions of a gateway, and where their sockets are opened. */
export interface LiveEndpoint extends Pick<LiveRelay, 'accept' | 'limits'> {
  /** The whole path, base path included. */
  readonly path: string;
  /** The sessions of other wires, at paths of their own. */
  readonly wireOf?: LiveWire | undefined;
  /** Learns of an `allowsOrigin` that fails. */
  readonly logger?: Logger;
}

export interface AttachLiveOptions {
  /**
   * Whether pages of an origin may open sockets; null is a client that is no page. By default all may: a client that opens a socket
   * must bring an access that its own server has asked for. Only `true` lets an origin in: a function that throws, or returns a
   * promise, refuses it.
   */
  readonly allowsOrigin?: (origin: string | null) => boolean;
  /** Sockets of one address that have brought no access yet (default 64). */
  readonly unknownPerAddressMax?: number;
  /** The same of all addresses together (default 1,024). */
  readonly unknownMax?: number;
  /** Whose socket it is; behind a proxy the address that the proxy tells. By default the peer's. */
  readonly addressOf?: (request: IncomingMessage) => string;
}

/** Each option of the sockets of sessions. */
export const attachLiveCheck = optionsCheck<AttachLiveOptions>({
  allowsOrigin: callable(),
  unknownPerAddressMax: whole({ min: 1 }),
  unknownMax: whole({ min: 1 }),
  addressOf: callable(),
});

export interface AttachedLive {
  /** Takes no more sockets on. */
  readonly detach: () => void;
  /** Cuts off every socket that is still open. */
  readonly terminate: () => void;
}

const unknownPerAddressDefault = 64;
const unknownDefault = 1_024;

const refuse = (socket: Duplex, status: number): void => {
  socket.end(
    `HTTP/1.1 ${status} ${nodeHttp.STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
};

const toUpgrade = (request: IncomingMessage): UpgradeRequest => {
  const { url = '', headers } = request;
  const header = (name: string): string | null => {
    const value = headers[name];
    return typeof value === 'string' ? value : null;
  };
  return { ...splitAddress(url), header, headers: () => toHeaders(request), raw: request };
};

/** Who takes the socket of a request on; null where its path is of no session. */
const takerOf = (live: LiveEndpoint, request: IncomingMessage): LiveRelay['accept'] | null => {
  const upgrade = toUpgrade(request);
  return upgrade.path === live.path ? live.accept : (live.wireOf?.(upgrade) ?? null);
};

// What a socket keeps for as long as it is open is made outside of the function that has its request at hand: a closure made there
// would keep the request too, with its headers.

const leaveOnce = (unknown: UnknownSockets, address: string): (() => void) => {
  let left = false;
  return () => {
    if (!left) unknown.leave(address);
    left = true;
  };
};

const keepWhileOpen = (open: Set<WebSocket>, client: WebSocket): void => {
  open.add(client);
  client.once('close', () => open.delete(client));
};

/** The library is loaded with the first socket, for a gateway without sessions needs none of it. */
const createSocketServer = async (live: LiveEndpoint): Promise<WebSocketServer> => {
  const library = await import('ws');
  warmReceiver(library);
  const { WebSocketServer: Sockets } = library;
  return new Sockets({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: live.limits.frameBytesMax,
  });
};

/**
 * Opens the sockets of sessions on a server of the host's own, whatever responds to its requests: `http.Server`, and so Express,
 * Fastify and Next. Upgrades to other paths are left to the host's own listeners.
 */
export const attachLive = (server: Server, live: LiveEndpoint, options: AttachLiveOptions = {}): AttachedLive => {
  checkConfiguration('attachLive', attachLiveCheck, options);
  const addressOf = options.addressOf ?? ((request) => request.socket.remoteAddress ?? '');
  const unknown = createUnknownSockets({
    perAddressMax: options.unknownPerAddressMax ?? unknownPerAddressDefault,
    allMax: options.unknownMax ?? unknownDefault,
  });
  const open = new Set<WebSocket>();
  let sockets: Promise<WebSocketServer> | undefined;
  const refusalOf = (request: IncomingMessage): number | null => {
    if (request.method !== 'GET') return 405;
    const { allowsOrigin } = options;
    if (allowsOrigin === undefined) return null;
    const rule = { option: 'allowsOrigin', allows: allowsOrigin } as const;
    return letsIn(rule, request.headers.origin ?? null, { logger: live.logger }) ? null : 403;
  };
  const accept = async (
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    take: LiveRelay['accept'],
  ): Promise<void> => {
    const address = addressOf(request);
    if (!unknown.enter(address)) return refuse(socket, 429);
    const leave = leaveOnce(unknown, address);
    // Also for a handshake that is refused, or never finished.
    socket.once('close', leave);
    const upgraded = await (sockets ??= createSocketServer(live));
    upgraded.handleUpgrade(request, socket, head, (client) => {
      keepWhileOpen(open, client);
      const origin = request.headers.origin ?? null;
      take(toLiveSocket(client, { wire: socket, origin, messageBytesMax: live.limits.frameBytesMax }), leave);
    });
  };
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const take = takerOf(live, request);
    if (take === null) {
      if (server.listenerCount('upgrade') === 1) refuse(socket, 404);
      return;
    }
    // Before anything is waited for: a client that leaves meanwhile must not end the process.
    socket.on('error', () => socket.destroy());
    const status = refusalOf(request);
    if (status === null) accept(request, socket, head, take).catch(() => socket.destroy());
    else refuse(socket, status);
  };
  server.on('upgrade', onUpgrade);
  return {
    detach: () => void server.off('upgrade', onUpgrade),
    terminate: () => {
      for (const client of open) client.terminate();
    },
  };
};
