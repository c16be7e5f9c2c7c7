/** What one event is made of. */
export interface EventFields {
  /** The name of the event, on one line. */
  readonly event?: string;
  /** Any text. Each CR, LF or CRLF starts another data line, so a reader sees all three as a line feed. */
  readonly data: string;
  /** What a reader would send back as `Last-Event-ID`; on one line and without NUL. */
  readonly id?: string;
  /** How long a reader should wait before it reconnects, in whole milliseconds. */
  readonly retry?: number;
}

const lineEnd = /\r\n|\r|\n/u;

/** The literal that ends a stream for OpenAI-shaped clients; it is not JSON. */
export const doneEvent = 'data: [DONE]\n\n';

const fieldLine = (name: 'event' | 'id', value: string | undefined): string => {
  if (value === undefined) return '';
  // A reader ignores an id that holds NUL, and a line break here would start a field of the value's own choosing.
  if (lineEnd.test(value) || (name === 'id' && value.includes('\0')))
    throw new TypeError(`the ${name} of a server-sent event must be one line${name === 'id' ? ' without NUL' : ''}`);
  return `${name}: ${value}\n`;
};

const retryLine = (retryMs: number | undefined): string => {
  if (retryMs === undefined) return '';
  if (!Number.isSafeInteger(retryMs) || retryMs < 0)
    throw new RangeError('the retry of a server-sent event must be a whole number of milliseconds');
  return `retry: ${retryMs}\n`;
};

const dataLines = (data: string): string => `data: ${data.split(lineEnd).join('\ndata: ')}\n`;

// stream:sse:blank-line
/**
 * The wire form of one event, closed by its blank line. It never starts with a comment, for widely used clients lose an
 * event that has one in front of its data.
 *
 * Throws `TypeError` for a line break in `event` or `id`, or NUL in `id`; `RangeError` for a `retry` that is not a whole
 * number of milliseconds.
 */
export const encodeEvent = ({ event, data, id, retry }: EventFields): string =>
  `${fieldLine('event', event)}${fieldLine('id', id)}${retryLine(retry)}${dataLines(data)}\n`;
