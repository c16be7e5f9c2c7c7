import type { LiveCredential } from '@tollgate/engine';
import type { LiveRelay } from '../live-relay.ts';

/** A request to open a socket, before it is one. */
export interface UpgradeRequest {
  /** The whole path, base path included. */
  readonly path: string;
  /** What follows the question mark, as it was sent. It may hold a key: it is never logged. */
  readonly query: string;
  /** A header by its lowercase name. */
  readonly header: (name: string) => string | null;
  /** All headers as they came. */
  readonly headers?: () => Headers;
  /** What the server received: Node's `IncomingMessage`. */
  readonly raw?: unknown;
}

/** The sessions of another wire, as a mapping in front of the session protocol. */
export type LiveWire = (request: UpgradeRequest) => LiveRelay['accept'] | null;

/** A session that a client of another wire asks for with its key. */
export interface AskedSession {
  /** Null where the request brings none. */
  readonly key: string | null;
  /** The request that opened the socket. */
  readonly upgrade: UpgradeRequest;
  /** The model and the settings, as the client wrote them. */
  readonly setup: unknown;
}

export type OpenedSession =
  | { readonly kind: 'opened'; readonly credential: LiveCredential }
  /** As the routes would refuse it: with a status and a message that names the field. */
  | { readonly kind: 'refused'; readonly status: number; readonly message: string };

/** Makes the access to a session for a key, as `POST /live` does. Never rejects. */
export type OpenSession = (asked: AskedSession) => Promise<OpenedSession>;
