import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Deadline } from './deadline.ts';

/** An answer whose body is still to be read, or to be let go of. */
export interface OpenAnswer {
  readonly kind: 'answered';
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Where it came from, after redirects. */
  readonly url: URL;
  /** Ends early, without an error, where the answer broke off or its time was over. To be read once. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Reads the body for nothing, so that its connection can be used again; ends it where there is more than so much. */
  readonly discard: (bytesMax: number) => Promise<void>;
  /** Whether the body came to its own end; false while it is read. */
  readonly isWhole: () => boolean;
  /** Ends the connection; harmless when it has ended. */
  readonly close: () => void;
}

/** Hands a response on; the deadline ends with its connection. */
export const openAnswer = (message: IncomingMessage, url: URL, deadline: Deadline): OpenAnswer => {
  const close = (): void => {
    deadline.end();
    message.destroy();
  };
  // A body without a reader may break off unnoticed.
  message.on('error', () => undefined);
  message.once('close', deadline.end);
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    try {
      // Without an encoding set, a message gives bytes.
      yield* message as AsyncIterable<Uint8Array>;
    } catch {
      // `isWhole` tells that it broke off.
    } finally {
      close();
    }
  };
  return {
    kind: 'answered',
    status: message.statusCode ?? 0,
    headers: message.headers,
    url,
    chunks: chunks(),
    discard: (bytesMax) =>
      new Promise((resolve) => {
        let size = 0;
        message.on('data', (chunk: Uint8Array) => {
          size += chunk.byteLength;
          if (size > bytesMax) close();
        });
        message.once('end', resolve).once('close', resolve);
      }),
    isWhole: () => message.complete,
    close,
  };
};
