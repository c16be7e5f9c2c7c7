import type { Server } from 'node:http';
import {
  ConfigurationError,
  having,
  oneOf,
  optionsCheck,
  text,
  timerMs,
  whole,
  type ConfigurationFault,
} from '@tollgate/contract/configuration';
import type { GatewayHandler } from '@tollgate/routes';
import {
  attachLive,
  attachLiveCheck,
  type AttachedLive,
  type AttachLiveOptions,
  type LiveEndpoint,
} from './attach-live.ts';
import { defaultNodeLimits, nodeLimitsCheck, type NodeLimits } from './node-limits.ts';
import { toListenError } from './listen-error.ts';
import { httpOrigin } from './node-address.ts';
import { nodeHttp } from './node-http.ts';
import { toNodeListener } from './to-node-listener.ts';

/** Whether a process looks for due rows every few seconds, or for what it is notified of and else every five minutes. */
type Sweeps = 'regularly' | 'when_notified';

/** The part of a gateway that a server needs. */
export interface Servable {
  readonly handle: GatewayHandler;
  readonly jobs: { readonly start: (options?: { readonly sweeps?: Sweeps | undefined }) => void };
  readonly close: (options?: { readonly drainMs?: number }) => Promise<void>;
  /** Its realtime sessions; without them no socket is opened. */
  readonly live?: LiveEndpoint;
}

export interface ServeOptions {
  /** 0 takes a free one. */
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  /** How long requests under way may take to finish when the server closes. */
  readonly drainMs?: number | undefined;
  readonly limits?: Partial<NodeLimits> | undefined;
  /** Who may open sockets of sessions, and how many strangers at once. */
  readonly live?: AttachLiveOptions | undefined;
  /** `regularly` (default), or `when_notified` beside a process that sweeps regularly and is started again at once where it dies. */
  readonly sweeps?: Sweeps | undefined;
}

const portMax = 65_535;

/** The options that one process shares with several. */
export const listenChecks = {
  port: whole({ max: portMax }),
  host: text(),
  drainMs: timerMs(),
  limits: nodeLimitsCheck,
  live: attachLiveCheck,
};

const serveCheck = optionsCheck<ServeOptions>({ ...listenChecks, sweeps: oneOf('regularly', 'when_notified') });

export interface RunningServer {
  /** `http://host:port`, without the base path. */
  readonly origin: string;
  readonly server: Server;
  /** Stops accepting, lets requests finish or marks their operations uncertain, stops the jobs, closes the storage. */
  close(): Promise<void>;
}

/** How long a client may take to send its headers, and how long an idle connection is kept. */
const headersMs = 20_000;
const keepAliveMs = 65_000;
const defaultDrainMs = 25_000;

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException): void => reject(toListenError(cause, port, host));
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      resolve();
    });
  });

const originOf = (server: Server, host: string): string => {
  const address = server.address();
  return httpOrigin(host, typeof address === 'object' && address !== null ? address.port : 0);
};

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });

const closeAll = async (server: Server, sessions: AttachedLive | null, drain: () => Promise<void>): Promise<void> => {
  const noMoreRequests = closed(server);
  // A connection that is still open may ask for a socket, and is refused as a request while the gateway drains.
  sessions?.detach();
  await drain();
  // Responses that were ready are on their way; connections that are still open are closed.
  server.closeIdleConnections();
  setTimeout(() => {
    server.closeAllConnections();
    sessions?.terminate();
  }, 1_000).unref();
  await noMoreRequests;
};

const servable = having<Servable>('handle', 'close');

/** A gateway by its members; its other members are its own. */
const gatewayFaults = (gateway: unknown): readonly ConfigurationFault[] => {
  const faults = servable.faultsOf(gateway, 'gateway');
  if (faults.length > 0 || typeof gateway !== 'object' || gateway === null) return faults;
  return having<Servable['jobs']>('start').faultsOf(Reflect.get(gateway, 'jobs'), 'gateway.jobs');
};

/** Listens with a gateway and runs its jobs. */
export const serve = async (gateway: Servable, options: ServeOptions = {}): Promise<RunningServer> => {
  const faults = [...gatewayFaults(gateway), ...serveCheck.faultsOf(options, '')];
  if (faults.length > 0) throw new ConfigurationError('serve', faults);
  const { port = 8787, host = '127.0.0.1', drainMs = defaultDrainMs } = options;
  const server = nodeHttp.createServer(toNodeListener(gateway.handle, options.limits));
  server.headersTimeout = headersMs;
  // Also for an unread body, because the request was refused before it.
  server.requestTimeout = headersMs + (options.limits?.bodyMs ?? defaultNodeLimits.bodyMs);
  server.keepAliveTimeout = keepAliveMs;
  const sessions: AttachedLive | null =
    gateway.live === undefined ? null : attachLive(server, gateway.live, options.live);
  await listen(server, port, host);
  gateway.jobs.start({ sweeps: options.sweeps });
  let closing: Promise<void> | null = null;
  return {
    origin: originOf(server, host),
    server,
    close: () => (closing ??= closeAll(server, sessions, () => gateway.close({ drainMs }))),
  };
};

/**
 * Closes on the first SIGTERM or SIGINT and ends the process; a second one ends it at once. For a server of a host's own, `close`
 * is its function that closes both the server and the gateway.
 */
export const closeOnSignal = (running: Pick<RunningServer, 'close'>, exit: (code: number) => void): void => {
  let closing = false;
  const onSignal = (): void => {
    if (closing) {
      exit(1);
      return;
    }
    closing = true;
    running.close().then(
      () => exit(0),
      () => exit(1),
    );
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
};
