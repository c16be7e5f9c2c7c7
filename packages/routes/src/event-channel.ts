import type { EventFeed, FeedSink } from './event-feed.ts';

export interface EventChannelOptions {
  /** Characters that wait for a client at the most; one piece may be longer when nothing else waits. */
  readonly pendingCharsMax: number;
  /** How long the stream may be silent before a block of its own shows that it lives; null where the client can read none. */
  readonly heartbeatMs: number | null;
  /** Writes that block; a comment by default. */
  readonly alive?: (() => string) | undefined;
  /** Runs once after a time, and returns how to call it off. */
  readonly after: (ms: number, run: () => void) => () => void;
}

/**
 * Between the producer of a stream and the one client that reads it. Takes pieces at once and never waits: a client that
 * does not read is cut off as soon as too much waits for it, and one that has left gets nothing more.
 */
export interface EventChannel {
  readonly feed: EventFeed;
  readonly options: EventChannelOptions;
  sink: FeedSink | null;
  /** Whether the sink takes more now. */
  ready: boolean;
  pending: string[];
  pendingChars: number;
  /** Whether the last piece is there. */
  ended: boolean;
  /** Nothing is taken or handed on any more. */
  closed: boolean;
  /** Whether anything was handed on since the last beat. */
  spoke: boolean;
  stopBeat: () => void;
}

/** A comment as a block of its own: clients lose an event that has a comment in front of its data. */
export const comment = ': \n\n';

const close = (channel: EventChannel): void => {
  channel.closed = true;
  channel.pending = [];
  channel.pendingChars = 0;
  channel.stopBeat();
};

/** A client that reads several times at once asks for the next piece while it is handed this one: that must not be forgotten. */
const write = (channel: EventChannel, sink: FeedSink, text: string): void => {
  channel.ready = false;
  if (sink.write(text)) channel.ready = true;
};

const flush = (channel: EventChannel): void => {
  const { sink } = channel;
  if (sink === null || channel.closed) return;
  if (channel.ready && channel.pending.length > 0) {
    const text = channel.pending.length === 1 ? (channel.pending[0] ?? '') : channel.pending.join('');
    channel.pending = [];
    channel.pendingChars = 0;
    write(channel, sink, text);
  }
  // The client may have asked on during the write, and been given the end.
  if (channel.closed || !channel.ended || channel.pending.length > 0) return;
  close(channel);
  sink.end();
};

const hold = (channel: EventChannel, text: string): void => {
  if (channel.pendingChars > 0 && channel.pendingChars + text.length > channel.options.pendingCharsMax) {
    close(channel);
    channel.sink?.cut();
    return;
  }
  channel.pending.push(text);
  channel.pendingChars += text.length;
};

/** Hands on a piece: whole events, each closed by its blank line. */
export const pushPiece = (channel: EventChannel, text: string): void => {
  if (channel.closed || channel.ended) return;
  channel.spoke = true;
  // The usual case: the client reads as fast as the model writes, and nothing is kept.
  if (channel.ready && channel.sink !== null) write(channel, channel.sink, text);
  else hold(channel, text);
};

const beat = (channel: EventChannel, heartbeatMs: number): void => {
  channel.stopBeat = channel.options.after(heartbeatMs, () => {
    if (channel.closed) return;
    if (!channel.spoke && channel.ready) pushPiece(channel, channel.options.alive?.() ?? comment);
    channel.spoke = false;
    beat(channel, heartbeatMs);
  });
};

const attach = (channel: EventChannel, sink: FeedSink): void => {
  channel.sink = sink;
  if (channel.closed) sink.cut();
  else if (channel.options.heartbeatMs !== null && !channel.ended) beat(channel, channel.options.heartbeatMs);
};

export const createEventChannel = (options: EventChannelOptions): EventChannel => {
  const channel: EventChannel = {
    feed: {
      kind: 'events',
      attach: (sink) => {
        attach(channel, sink);
        return {
          resume: () => {
            channel.ready = true;
            flush(channel);
          },
          leave: () => close(channel),
        };
      },
    },
    options,
    sink: null,
    ready: false,
    pending: [],
    pendingChars: 0,
    ended: false,
    closed: false,
    spoke: false,
    stopBeat: () => {},
  };
  return channel;
};

/**
 * Hands on the last piece, whether it completes the stream or says why it fails, and ends the body. The piece is short and may
 * stand above the bound: without it the client would not know what became of its answer.
 */
export const endPieces = (channel: EventChannel, text: string): void => {
  if (channel.closed || channel.ended) return;
  channel.pending.push(text);
  channel.ended = true;
  flush(channel);
};
