import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { buildConnector, Client, Dispatcher } from 'undici';
import type { CheckedUrl } from './address-guard.ts';
import type { ConnectChecked } from './connect-checked.ts';
import type { Exchanged } from './exchanged.ts';
import { loadClient, type CreateClient } from './load-client.ts';
import { headerBytesMax, type Outgoing } from './outgoing.ts';

/** Connections to checked addresses, which wait for another request. */
export interface KeptConnections {
  /** Throws where no response comes, or the deadline is over. */
  readonly send: (target: CheckedUrl, outgoing: Outgoing) => Promise<Exchanged>;
  readonly close: () => void;
}

const freePerPlaceMax = 8;

/** One connection, and the client that writes on it and reads from it. */
interface Connection {
  readonly client: Client;
  readonly place: string;
  socket: Socket | undefined;
  /** Whether the connection has served a request before. */
  isUsed: boolean;
}

interface UrlParts {
  readonly origin: string;
  readonly path: string;
}

/** The guard gives the same object for the same text, and a URL puts its parts together anew each time. */
const partsOfUrls = new WeakMap<URL, UrlParts>();

const partsOf = (url: URL): UrlParts => {
  const known = partsOfUrls.get(url);
  if (known !== undefined) return known;
  const parts = { origin: url.origin, path: `${url.pathname}${url.search}` };
  partsOfUrls.set(url, parts);
  return parts;
};

/** A connection is used again only for the very addresses that it was opened for. */
const placeOf = ({ url, addresses }: CheckedUrl): string =>
  `${partsOf(url).origin} ${addresses.length > 1 ? addresses.toSorted().join() : String(addresses)}`;

/** Tells when a socket is connected, and its certificate accepted. */
const connectBy =
  (open: () => Socket): buildConnector.connector =>
  (_options, callback) => {
    const socket = open();
    const isEncrypted = 'encrypted' in socket;
    const fail = (cause: Error): void => callback(cause, null);
    const succeed = (): void => {
      socket.off('error', fail);
      socket.setNoDelay(true);
      callback(null, socket);
    };
    // The `connect` of a host may return a socket that is connected already.
    if (!isEncrypted && !socket.connecting) return succeed();
    socket.once('error', fail).once(isEncrypted ? 'secureConnect' : 'connect', succeed);
  };

const staleCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** A kept connection may turn out to have been closed by the other side when it is used again; nothing was read then. */
const wasStale = ({ isUsed }: Connection, cause: unknown): boolean =>
  isUsed && cause instanceof Error && 'code' in cause && staleCodes.has(cause.code);

const nodeHeaders = (received: Dispatcher.ResponseData['headers']): IncomingHttpHeaders => {
  const headers: IncomingHttpHeaders = received;
  for (const name in received) {
    const value = received[name];
    if (Array.isArray(value) && name !== 'set-cookie') headers[name] = value.join(', ');
  }
  return headers;
};

/** The client names the host and measures the body: no header of a caller's leads to another server of the same address. */
const unframed = (headers: Outgoing['headers']): string[] => {
  const lines: string[] = [];
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !/^(?:host|content-length)$/iu.test(name)) lines.push(name, value);
  }
  return lines;
};

const letGo = ({ client, socket }: Connection): void => {
  // A client waits for the end of a handshake before it leaves.
  socket?.destroy();
  client.destroy().catch(() => undefined);
};

interface Place {
  readonly target: CheckedUrl;
  /** Of its connections. */
  readonly place: string;
}

const openConnection = (
  createClient: CreateClient,
  { target, place }: Place,
  { open, idleMs }: KeepOptions,
): Connection => {
  const client = createClient(target.url.origin, {
    pipelining: 1,
    maxHeaderSize: headerBytesMax,
    // A request has a deadline of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    connect: connectBy(() => {
      connection.isUsed = false;
      return (connection.socket = open(target));
    }),
  });
  const connection: Connection = { client, place, socket: undefined, isUsed: false };
  return connection;
};

interface KeepOptions {
  readonly open: ConnectChecked;
  readonly idleMs: number;
}

/** Those that wait, by their place. */
const createFree = () => {
  const free = new Map<string, Connection[]>();
  return {
    take: (place: string): Connection | undefined => free.get(place)?.pop(),
    put: (connection: Connection): void => {
      const { place, socket } = connection;
      const others = free.get(place) ?? [];
      if (socket?.destroyed !== false || others.length >= freePerPlaceMax) return letGo(connection);
      others.push(connection);
      free.set(place, others);
    },
    /** Forgets one whose connection has ended, and a place of which none is left. */
    remove: (connection: Connection): void => {
      const left = free.get(connection.place)?.filter((one) => one !== connection) ?? [];
      if (left.length > 0) free.set(connection.place, left);
      else free.delete(connection.place);
    },
    clear: (): void => {
      for (const connection of [...free.values()].flat()) letGo(connection);
      free.clear();
    },
  };
};

/** Gives the connection of a response back when its body has ended. */
const giveBack = (body: Readable, connection: Connection, put: (connection: Connection) => void): void => {
  body.once('end', () => put(connection));
  body.once('close', () => {
    // The client would connect again.
    if (!body.readableEnded) letGo(connection);
  });
};

const sendOn = async (
  connection: Connection,
  { url }: CheckedUrl,
  { method, headers, body: sent, deadline }: Outgoing,
): Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Readable }> => {
  deadline.stopBy(() => letGo(connection));
  const { path } = partsOf(url);
  const request = { method, path, headers: unframed(headers), body: sent ?? null };
  const { statusCode: status, headers: received, body } = await connection.client.request(request);
  connection.isUsed = true;
  return { status, headers: nodeHeaders(received), body };
};

/**
 * Connections to checked addresses, opened by `open` and kept for a while after each request, one request at a time on each. The
 * client is loaded with the first of them, for it takes long to load.
 */
export const createKeptConnections = (options: KeepOptions): KeptConnections => {
  const free = createFree();
  let isClosed = false;
  let loaded: CreateClient | undefined;
  const exchangeOn = async (connection: Connection, target: CheckedUrl, outgoing: Outgoing): Promise<Exchanged> => {
    const { status, headers, body } = await sendOn(connection, target, outgoing);
    giveBack(body, connection, () => {
      // The connection is that of another request from here on.
      outgoing.deadline.end();
      if (isClosed) letGo(connection);
      else free.put(connection);
    });
    return { status, headers, body, isWhole: () => body.readableEnded };
  };
  const open = (createClient: CreateClient, where: Place): Connection => {
    const connection = openConnection(createClient, where, options);
    connection.client.on('disconnect', () => free.remove(connection));
    return connection;
  };
  return {
    send: async (target, outgoing) => {
      const createClient = (loaded ??= await loadClient());
      const place = placeOf(target);
      // Each try uses up one kept connection, of which there is a bounded number.
      for (;;) {
        const connection = free.take(place) ?? open(createClient, { target, place });
        try {
          return await exchangeOn(connection, target, outgoing);
        } catch (cause) {
          letGo(connection);
          if (!wasStale(connection, cause)) throw cause;
        }
      }
    },
    close: () => {
      isClosed = true;
      free.clear();
    },
  };
};
