import { expect, test } from 'vitest';
import { createEventChannel, endPieces, pushPiece, type EventChannelOptions } from './event-channel.ts';
import type { FeedSink } from './event-feed.ts';
import { feedBody } from './feed-body.ts';

/** A client that takes so many pieces before it asks to wait. */
const client = (room = Infinity) => {
  const log: string[] = [];
  let left = room;
  const sink: FeedSink = {
    write: (text) => {
      log.push(text);
      left -= 1;
      return left > 0;
    },
    end: () => void log.push('end'),
    cut: () => void log.push('cut'),
  };
  return {
    sink,
    log,
    grow: (more: number) => {
      left = more;
    },
  };
};

/** A clock whose timers run when they are asked to. */
const clock = () => {
  let timers: (() => void)[] = [];
  return {
    after: (_: number, run: () => void) => {
      timers.push(run);
      return () => {
        timers = timers.filter((timer) => timer !== run);
      };
    },
    tick: () => {
      for (const run of timers.splice(0)) run();
    },
    waiting: () => timers.length,
  };
};

const open = (options: Partial<EventChannelOptions> = {}) =>
  createEventChannel({ pendingCharsMax: 10, heartbeatMs: null, after: clock().after, ...options });

test('hands on what was there before the client, then each piece at once', () => {
  const channel = open();
  const { sink, log } = client();
  pushPiece(channel, 'a');
  pushPiece(channel, 'b');
  const tap = channel.feed.attach(sink);
  expect(log).toEqual([]);
  tap.resume();
  pushPiece(channel, 'c');
  endPieces(channel, 'd');
  pushPiece(channel, 'late');
  endPieces(channel, 'late');
  expect(log).toEqual(['ab', 'c', 'd', 'end']);
});

test('keeps what a client has no room for until it has, then ends', () => {
  const channel = open();
  const { sink, log, grow } = client(1);
  const tap = channel.feed.attach(sink);
  tap.resume();
  pushPiece(channel, 'a');
  pushPiece(channel, 'b');
  pushPiece(channel, 'c');
  endPieces(channel, 'd');
  expect(log).toEqual(['a']);
  grow(1);
  tap.resume();
  expect(log).toEqual(['a', 'bcd', 'end']);
});

test('cuts off a client for which too much waits, and takes no more', () => {
  const channel = open();
  const { sink, log } = client(1);
  const tap = channel.feed.attach(sink);
  tap.resume();
  for (const piece of ['a', '12345', '12345', '6', 'late']) pushPiece(channel, piece);
  endPieces(channel, 'end');
  tap.resume();
  expect(log).toEqual(['a', 'cut']);
});

test('lets one piece of any length wait when nothing else does', () => {
  const channel = open();
  const { sink, log } = client(1);
  pushPiece(channel, 'x'.repeat(1_000));
  channel.feed.attach(sink).resume();
  expect(log).toEqual(['x'.repeat(1_000)]);
});

test('cuts off at once a client that comes after too much was waiting', () => {
  const channel = open();
  pushPiece(channel, 'x'.repeat(10));
  pushPiece(channel, 'y');
  const { sink, log } = client();
  channel.feed.attach(sink).resume();
  expect(log).toEqual(['cut']);
});

test('ends after the last words, also when they had to wait [stream:generate:error-midway]', () => {
  const channel = open();
  const { sink, log } = client(1);
  const tap = channel.feed.attach(sink);
  tap.resume();
  pushPiece(channel, 'a');
  endPieces(channel, 'error');
  expect(log).toEqual(['a']);
  tap.resume();
  expect(log).toEqual(['a', 'error', 'end']);
});

test('throws away what comes for a client that left', () => {
  const { after, waiting } = clock();
  const channel = open({ heartbeatMs: 5, after });
  const { sink, log } = client();
  const tap = channel.feed.attach(sink);
  tap.resume();
  expect(waiting()).toBe(1);
  tap.leave();
  pushPiece(channel, 'a');
  endPieces(channel, 'b');
  expect(log).toEqual([]);
  expect(waiting()).toBe(0);
});

test('shows that it lives when it was silent for a while, as a block of its own', () => {
  const { after, tick, waiting } = clock();
  const channel = open({ heartbeatMs: 5, after });
  const { sink, log } = client();
  channel.feed.attach(sink).resume();
  tick();
  pushPiece(channel, 'a');
  tick();
  tick();
  expect(log).toEqual([': \n\n', 'a', ': \n\n']);
  endPieces(channel, 'b');
  expect(waiting()).toBe(0);
});

test('shows that it lives in the words of its wire, at the time of each', () => {
  const { after, tick } = clock();
  let beats = 0;
  const channel = open({ heartbeatMs: 5, alive: () => `beat ${(beats += 1)}`, after });
  const { sink, log } = client();
  channel.feed.attach(sink).resume();
  tick();
  tick();
  expect(log).toEqual(['beat 1', 'beat 2']);
});

test('shows no life to a client that has no room, so that nothing gathers', () => {
  const { after, tick } = clock();
  const channel = open({ heartbeatMs: 5, after });
  const { sink, log } = client(1);
  channel.feed.attach(sink).resume();
  pushPiece(channel, 'a');
  for (let beats = 0; beats < 100; beats += 1) tick();
  expect(log).toEqual(['a']);
});

test('gives a fetch body one piece for each read', async () => {
  const channel = open();
  const reader = feedBody(channel.feed).getReader();
  const read = async () => {
    const { done, value } = await reader.read();
    return done ? null : Buffer.from(value).toString('utf8');
  };
  pushPiece(channel, 'a');
  pushPiece(channel, 'ä');
  expect(await read()).toBe('aä');
  const waiting = read();
  pushPiece(channel, 'b');
  expect(await waiting).toBe('b');
  endPieces(channel, 'c');
  expect([await read(), await read()]).toEqual(['c', null]);
});

/** A body whose reader has asked so many times, and has been heard. */
const askedBody = async (reads: number) => {
  const channel = open();
  const reader = feedBody(channel.feed).getReader();
  const texts = Array.from({ length: reads }, async () => {
    const { done, value } = await reader.read();
    return done ? null : Buffer.from(value).toString('utf8');
  });
  for (let turns = 0; turns < 10; turns += 1) await Promise.resolve();
  return { channel, texts };
};

test('serves a reader that asks several times at once', async () => {
  const { channel, texts } = await askedBody(3);
  pushPiece(channel, 'a');
  pushPiece(channel, 'b');
  expect(await Promise.all(texts.slice(0, 2))).toEqual(['a', 'b']);
  endPieces(channel, 'c');
  expect(await texts[2]).toBe('c');
});

test('ends once for a reader that asks on while it is handed the last piece', async () => {
  const { channel, texts } = await askedBody(2);
  endPieces(channel, 'a');
  expect(await Promise.all(texts)).toEqual(['a', null]);
});

test('errors a fetch body where it is broken off, and drops what a reader no longer wants', async () => {
  const channel = open();
  pushPiece(channel, 'x'.repeat(10));
  pushPiece(channel, 'y');
  const reader = feedBody(channel.feed).getReader();
  await expect(reader.read()).rejects.toThrow('broken off');
  const left = open();
  const body = feedBody(left.feed);
  await body.cancel();
  pushPiece(left, 'a');
  endPieces(left, 'b');
});
