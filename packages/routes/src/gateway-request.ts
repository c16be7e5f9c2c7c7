/** What became of reading a body. */
export type BodyRead =
  | { readonly kind: 'read'; readonly bytes: Uint8Array }
  /** More than was allowed; the rest was not read. */
  | { readonly kind: 'too_large' }
  /** The client stopped in the middle, or took too long. */
  | { readonly kind: 'incomplete' };

/** A request as every handler sees it, whether it came through `fetch` or straight from a Node socket. */
export interface GatewayRequest {
  readonly method: string;
  /** The whole path, percent-encoding kept, without the query. */
  readonly path: string;
  /** A header by its lowercase name. */
  header(name: string): string | null;
  /** Reads the body once, counting, and stops at the first byte too many. */
  readBody(bytesMax: number): Promise<BodyRead>;
  /** Whether the client has gone. */
  isGone(): boolean;
}

/** An answer that is known whole before its first byte is sent. */
export interface GatewayResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
