import type { Deadline } from './deadline.ts';

/** What is sent, and by what it is stopped. */
export interface Outgoing {
  readonly method: string;
  /** None of them names the host, nor how the body is framed. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string | undefined;
  readonly deadline: Deadline;
}

/** Of the headers of a response, at the most. */
export const headerBytesMax = 16_384;
