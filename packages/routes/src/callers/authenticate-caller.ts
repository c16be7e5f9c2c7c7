import type { CallerClaim } from '@tollgate/engine/access/callers';

/** A request that brings no key and no token of this service. */
export interface CallerQuestion {
  /** What the lines of the request carry. */
  readonly requestId: string;
  readonly method: string;
  /** The path without the query; of another wire, the path of the contract that it stands for where there is one. */
  readonly path: string;
  /** What follows the question mark, as it was sent. */
  readonly query: string;
  /** The headers as the client sent them. */
  readonly headers: Headers;
  /**
   * What the server received: the `Request` that was given to `gateway.fetch`, or Node's `IncomingMessage`, also of a socket; its body
   * must not be read. By it a host finds what it knows of the connection, such as the certificate of the client.
   */
  readonly raw: unknown;
  /** Ends when `authenticateMs` is over. */
  readonly signal: AbortSignal;
}

/** Whom the host recognises. */
export type KnownCaller = CallerClaim;

/** Recognises callers by means of the host: a session, a JWT, a certificate. Null or nothing refuses the request with 401. */
export type AuthenticateCaller = (
  question: CallerQuestion,
) => KnownCaller | null | undefined | Promise<KnownCaller | null | undefined>;

/** The host's function that recognises callers, how long it may take, and the pages whose cookies count. */
export interface CallerHook {
  readonly authenticate: AuthenticateCaller;
  readonly timeoutMs: number;
  /** Whether pages of an origin other than the gateway's may send cookies. */
  readonly allowsOrigin: (origin: string, requestId: string) => boolean;
}
