import type { BodyTurn } from './body-turns.ts';
import type { ByteBody } from './byte-body.ts';
import type { EventFeed } from './event-feed.ts';

/** What became of reading a body. */
export type BodyRead =
  | { readonly kind: 'read'; readonly bytes: Uint8Array }
  /** More than was allowed; the rest was not read. */
  | { readonly kind: 'too_large' }
  /** The client stopped in the middle, or took too long. */
  | { readonly kind: 'incomplete' };

/** A request as every handler sees it, whether it came through `fetch` or straight from a Node socket. */
export interface GatewayRequest {
  /** What the lines of this request carry, and its response where nothing is registered; set by the gateway, never by a server. */
  readonly id?: string;
  readonly method: string;
  /** The whole path, percent-encoding kept, without the query. */
  readonly path: string;
  /** What follows the question mark, as it was sent; empty where there is none. */
  readonly query: string;
  /** The clients whose dialect is spoken, where a compatibility option told them apart; never set by a server. */
  readonly dialect?: 'google' | 'openai' | 'anthropic';
  /** The model that the path names, where a dialect has it there; never set by a server. */
  readonly deployment?: string;
  /** Waits until the event loop has time for a large body of this project; set where a caller is known, never by a server. */
  readonly turn?: BodyTurn;
  /** Scheme and host by which the client reached the server, as far as the server can tell: `https://host:port`. */
  readonly origin?: string;
  /**
   * What the server received: the `Request` that was given to `fetch`, or Node's `IncomingMessage`. Shown to the host's function that
   * recognises callers, for what only the server knows, such as a certificate; the gateway reads nothing of it.
   */
  readonly raw?: unknown;
  /** All headers as they came, where the server can give them. */
  headers?(): Headers;
  /** A header by its lowercase name. */
  header(name: string): string | null;
  /** Reads the body once, counting, and stops at the first byte too many. */
  readBody(bytesMax: number): Promise<BodyRead>;
  /**
   * Reads the body once in chunks, each when it is asked for, counting; instead of `readBody`. Throws `BodyStopped` at the first
   * byte too many and where the client stops in the middle. A chunk is good until the next one is asked for,
   * when its memory may be given back: a caller that keeps it copies it.
   */
  readBodyChunks(bytesMax: number): AsyncIterable<Uint8Array>;
  /** Notes the parsed body, where a hook of the host is asked about the request; never set by a server. */
  noteBody?(value: unknown): void;
  /** Whether the client has gone. */
  isGone(): boolean;
  /** Calls once, should the client leave before anything of its answer was sent. Returns what ends the watch. */
  onGone(leave: () => void): () => void;
}

/**
 * An answer: known whole before its first byte is sent, read from where it lies, or begun while it is still being made. To HEAD
 * only status and headers of it are sent.
 */
export interface GatewayResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | ByteBody | EventFeed;
}

/** Responds to one request. Never throws: what goes wrong is an answer too. */
export type GatewayHandler = (request: GatewayRequest) => Promise<GatewayResponse>;
