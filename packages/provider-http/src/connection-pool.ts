import type { buildConnector, Pool } from 'undici';
import { loadUndici } from './load-undici.ts';

export interface ConnectionPoolOptions {
  /** Connections at once, 1,024 by default; further calls wait for one. */
  readonly connections?: number | undefined;
}

const connectionsDefault = 1_024;
const connectMsMax = 10_000;
/** What one read takes at the most; as much as Node itself provides for one. */
const readBytesMax = 65_536;

/**
 * Connections to one origin, kept alive, for calls that may think for minutes and then write for minutes: one call a connection,
 * and no limit of its own on a call. The client is loaded here and not before, for it takes longer to load than a gateway without
 * an upstream to start.
 */
export const createConnectionPool = async (origin: string, options: ConnectionPoolOptions = {}): Promise<Pool> => {
  const { createPool, buildConnector: build } = await loadUndici();
  return createPool(origin, {
    connections: options.connections ?? connectionsDefault,
    // One call per connection: a slow generation must not hold up another, nor be lost with it.
    pipelining: 1,
    // A call has a limit of its own with its caller.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: createConnector(build),
  });
};

type Connected = NonNullable<Parameters<buildConnector.Callback>[1]>;

/**
 * Connects with one piece of memory that all reads share, and copies out of it what came: Node would set aside 64 KiB for each
 * read, and events of a stream come one by one and have a few hundred bytes. It is taken again only when what was read into it
 * has been handed over, because a read is made and handed over in one go; on Windows it is made beforehand, so that each
 * connection there reads as Node has it.
 */
const createConnector = (build: typeof buildConnector): buildConnector.connector => {
  if (process.platform === 'win32') return build({ timeout: connectMsMax });
  const shared = Buffer.allocUnsafeSlow(readBytesMax);
  let session: Buffer | undefined;
  return (options, callback) => {
    let socket: Connected | undefined;
    const connect = build({
      timeout: connectMsMax,
      // Kept here, because each connection has a connector of its own.
      ...(session === undefined ? {} : { session }),
      onread: { buffer: shared, callback: (bytes) => socket?.push(Buffer.from(shared.subarray(0, bytes))) ?? false },
    });
    connect(options, (...result) => {
      const [error, connected] = result;
      if (error !== null) return callback(error, null);
      socket = connected;
      connected.on('session', (ticket: Buffer) => (session = ticket));
      callback(null, connected);
    });
  };
};
