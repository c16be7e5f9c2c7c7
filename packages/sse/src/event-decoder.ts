import { startBlock, takeLine, type EventBlock } from './event-block.ts';
import { EventTooLargeError } from './event-too-large-error.ts';
import { createLineBuffer, decodeText, type LineBuffer } from './line-buffer.ts';
import type { ServerEvent } from './server-event.ts';

/** How a stream ended. */
export interface DecoderEnd {
  /** True when the stream stopped inside an event; that event is discarded, as the standard asks. */
  readonly cut: boolean;
}

/** Turns bytes into events, however the bytes are split. */
export interface EventDecoder {
  // stream:sse:decoder-split
  /**
   * The events that this chunk completes. The chunk may be used again afterwards.
   *
   * Throws `EventTooLargeError` once an event is larger than the limit: in this call, or in the next one when this chunk
   * also completed events, so that what is delivered does not depend on how the bytes were split.
   */
  push(chunk: Uint8Array): readonly ServerEvent[];
  /** Tells that no more bytes come. Throws a failure that `push` still owed. */
  end(): DecoderEnd;
}

const lf = 0x0a;
const cr = 0x0d;
/** A view of a chunk costs more than all else that is done about a blank line. */
const nothing = new Uint8Array(0);
const byteOrderMark = [0xef, 0xbb, 0xbf] as const;

interface State extends EventBlock {
  readonly eventBytesMax: number;
  readonly line: LineBuffer;
  /** Bytes of the byte-order mark seen so far; past its length once the start of the stream is decided. */
  markSeen: number;
  /** The last byte was a CR, so a LF that follows belongs to it. */
  afterCr: boolean;
  /** Bytes since the last blank line, line ends and comments included. */
  eventBytes: number;
  lineBytes: number;
  failure: EventTooLargeError | undefined;
}

/** Counts bytes in; false where the event is too large with them. */
const fits = (state: State, bytes: number): boolean => {
  state.eventBytes += bytes;
  if (state.eventBytes <= state.eventBytesMax) return true;
  state.failure = new EventTooLargeError(state.eventBytesMax);
  return false;
};

/** Keeps the beginning of a line whose end is still to come. */
const keep = (state: State, bytes: Uint8Array): void => {
  if (!fits(state, bytes.length) || bytes.length === 0) return;
  state.line.append(bytes);
  state.lineBytes += bytes.length;
};

/** Drops the byte-order mark at the start of the stream, which may come byte by byte; returns where to go on. */
const skipMark = (state: State, chunk: Uint8Array): number => {
  let at = 0;
  while (at < chunk.length && state.markSeen < byteOrderMark.length) {
    if (chunk[at] !== byteOrderMark[state.markSeen]) {
      keep(state, Uint8Array.from(byteOrderMark.slice(0, state.markSeen)));
      state.markSeen = byteOrderMark.length;
      return at;
    }
    state.markSeen += 1;
    at += 1;
  }
  return at;
};

/** Takes the rest of a line, up to its end; returns the event that it completes. */
const endLine = (state: State, rest: Uint8Array): ServerEvent | undefined => {
  if (!fits(state, rest.length)) return undefined;
  const isBlank = state.lineBytes + rest.length === 0;
  state.eventBytes = isBlank ? 0 : state.eventBytes + 1;
  state.lineBytes = 0;
  return takeLine(state, isBlank ? '' : state.line.takeText(rest));
};

const lineEndFrom = (chunk: Uint8Array, start: number): number => {
  for (let at = start; at < chunk.length; at += 1) if (chunk[at] === lf || chunk[at] === cr) return at;
  return chunk.length;
};

const dataField = 'data: ';

/** The data of a chunk that is one whole event of one data line, as nearly every chunk is; undefined for any other chunk. */
const soleData = (state: State, chunk: Uint8Array): string | undefined => {
  const { length } = chunk;
  if (state.eventBytes > 0 || state.afterCr || state.lastId !== '' || length > state.eventBytesMax) return undefined;
  const lineFeed = chunk.indexOf(lf);
  const hasCr = chunk[lineFeed - 1] === cr;
  const lineEndBytes = hasCr ? 2 : 1;
  const end = lineFeed + 1 - lineEndBytes;
  if (length !== end + 2 * lineEndBytes || chunk[length - 1] !== lf) return undefined;
  // A CR by itself would end a line, too.
  if (hasCr ? chunk[length - 2] !== cr || chunk.indexOf(cr) !== end : chunk.includes(cr)) return undefined;
  const line = decodeText(chunk.subarray(0, end));
  return line.startsWith(dataField) ? line.slice(dataField.length) : undefined;
};

const pushChunk = (state: State, chunk: Uint8Array): readonly ServerEvent[] => {
  const start = skipMark(state, chunk);
  const data = start === 0 ? soleData(state, chunk) : undefined;
  return data === undefined ? pushBytes(state, chunk, start) : [{ data }];
};

const pushBytes = (state: State, chunk: Uint8Array, start: number): readonly ServerEvent[] => {
  const events: ServerEvent[] = [];
  let at = start;
  while (at < chunk.length && state.failure === undefined) {
    if (state.afterCr && chunk[at] === lf) at += 1;
    state.afterCr = false;
    const end = lineEndFrom(chunk, at);
    if (end === chunk.length) keep(state, chunk.subarray(at));
    else {
      const event = endLine(state, end === at ? nothing : chunk.subarray(at, end));
      if (event !== undefined) events.push(event);
      state.afterCr = chunk[end] === cr;
    }
    at = end + 1;
  }
  return events;
};

/**
 * A decoder for one stream, by the WHATWG rules: a leading byte-order mark is dropped, lines end in LF, CR or CRLF,
 * comments and blank lines between events are ignored, broken UTF-8 becomes U+FFFD. `eventBytesMax` bounds what one event
 * may occupy on the wire, comments in its block included.
 */
export const createEventDecoder = ({ eventBytesMax }: { readonly eventBytesMax: number }): EventDecoder => {
  const state: State = {
    eventBytesMax,
    line: createLineBuffer(),
    ...startBlock(),
    markSeen: 0,
    afterCr: false,
    eventBytes: 0,
    lineBytes: 0,
    failure: undefined,
  };
  const throwFailure = (): void => {
    if (state.failure !== undefined) throw state.failure;
  };
  return {
    push: (chunk) => {
      throwFailure();
      const events = pushChunk(state, chunk);
      if (events.length === 0) throwFailure();
      return events;
    },
    end: () => {
      throwFailure();
      const inMark = state.markSeen > 0 && state.markSeen < byteOrderMark.length;
      return { cut: inMark || state.lineBytes > 0 || state.open };
    },
  };
};
