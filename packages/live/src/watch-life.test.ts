import { expect, test } from 'vitest';
import type { LiveSocket } from './live-socket.ts';
import { watchLife } from './watch-life.ts';

const unheard = (): void => expect.unreachable();

/** A socket that counts what it is asked, and time that moves when told. */
const watching = () => {
  let nowMs = 0;
  let pings = 0;
  let lost = 0;
  let onPong = unheard;
  let timer: { readonly atMs: number; readonly run: () => void } | null = null;
  const socket: LiveSocket = {
    origin: null,
    send: () => {},
    close: () => {},
    terminate: () => {},
    ping: () => {
      pings += 1;
    },
    bufferedBytes: () => 0,
    onMessage: () => {},
    onPong: (listener) => {
      onPong = listener;
    },
    onClose: () => {},
  };
  const after = (ms: number, run: () => void): (() => void) => {
    timer = { atMs: nowMs + ms, run };
    return () => {
      timer = null;
    };
  };
  const stop = watchLife({ socket, limits: { pingMs: 25_000, pongsMissedMax: 2 }, after }, () => {
    lost += 1;
  });
  const advance = (ms: number): void => {
    nowMs += ms;
    while (timer !== null && timer.atMs <= nowMs) {
      const { run } = timer;
      timer = null;
      run();
    }
  };
  return { advance, stop, pong: () => onPong(), seen: () => ({ pings, lost }) };
};

test('asks every 25 seconds, and goes on as long as it is answered', () => {
  const { advance, pong, seen } = watching();
  for (let round = 0; round < 10; round += 1) {
    advance(25_000);
    pong();
  }
  expect(seen()).toEqual({ pings: 10, lost: 0 });
});

test('gives a client up after two signs of life in a row were missed, once', () => {
  const { advance, pong, seen } = watching();
  advance(25_000);
  pong();
  advance(25_000);
  advance(25_000);
  expect(seen()).toEqual({ pings: 3, lost: 0 });
  advance(25_000);
  advance(250_000);
  expect(seen()).toEqual({ pings: 3, lost: 1 });
});

test('asks nothing more once it is stopped', () => {
  const { advance, stop, seen } = watching();
  stop();
  advance(100_000);
  expect(seen()).toEqual({ pings: 0, lost: 0 });
});
