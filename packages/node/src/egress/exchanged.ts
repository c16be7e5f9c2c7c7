import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/** A response, whatever client received it. */
export interface Exchanged {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Emits an error where it breaks off; destroying it ends its connection. */
  readonly body: Readable;
  /** Whether the body came to its own end. */
  readonly isWhole: () => boolean;
}

export const exchangedOf = (message: IncomingMessage): Exchanged => ({
  status: message.statusCode ?? 0,
  headers: message.headers,
  body: message,
  isWhole: () => message.complete,
});
