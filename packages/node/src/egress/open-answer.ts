import type { IncomingHttpHeaders } from 'node:http';
import type { Deadline } from './deadline.ts';
import type { Exchanged } from './exchanged.ts';

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

const ignore = (): void => undefined;

/** Hands a response on; the deadline ends with its connection. */
export const openAnswer = (answer: Exchanged, url: URL, deadline: Deadline): OpenAnswer => {
  const { status, headers, body, isWhole } = answer;
  const close = (): void => {
    deadline.end();
    body.destroy();
  };
  // A body without a reader may break off unnoticed.
  body.on('error', ignore);
  body.once('close', deadline.end);
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    try {
      // Without an encoding set, a body gives bytes.
      yield* body as AsyncIterable<Uint8Array>;
    } catch {
      // `isWhole` tells that it broke off.
    } finally {
      close();
    }
  };
  return {
    kind: 'answered',
    status,
    headers,
    url,
    chunks: { [Symbol.asyncIterator]: chunks },
    discard: (bytesMax) =>
      new Promise((resolve) => {
        let size = 0;
        body.on('data', (chunk: Uint8Array) => {
          size += chunk.byteLength;
          if (size > bytesMax) close();
        });
        // It is closed after its end, too.
        body.once('close', resolve);
      }),
    isWhole,
    close,
  };
};
