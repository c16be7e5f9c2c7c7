import type { ServerResponse } from 'node:http';
import type { EventFeed } from '@tollgate/routes';
import { createBodyWriter } from './body-writer.ts';
import type { AtTurnEnd } from './turn-end.ts';

/** Cuts off a client that has room for nothing more for so long. Returns how to call it off. */
const limitStall = (response: ServerResponse, stallMs: number): (() => void) => {
  const timer = setTimeout(() => response.destroy(), stallMs);
  timer.unref();
  return () => clearTimeout(timer);
};

/** Characters that wait for the end of a turn: so much is worth a write of its own. */
const gatheredCharsMax = 16_384;

/**
 * Writes a feed straight to the socket while the client takes it: what comes within one turn of the event loop in one write, at
 * its end. A client that takes nothing for `stallMs` is cut off; one that leaves only stops being written to.
 */
export const sendFeed = (
  response: ServerResponse,
  feed: EventFeed,
  { stallMs, atTurnEnd }: { readonly stallMs: number; readonly atTurnEnd: AtTurnEnd },
): void => {
  const body = createBodyWriter(response);
  let cancelTimer: (() => void) | null = null;
  let waiting = '';
  let hasRoom = true;
  const calm = (): void => cancelTimer?.();
  const stall = (): void => {
    calm();
    cancelTimer = limitStall(response, stallMs);
  };
  const flush = (): void => {
    if (waiting === '') return;
    const text = waiting;
    waiting = '';
    try {
      hasRoom = body.write(text);
    } catch {
      // A middleware's own way of writing may throw, and at the end of a turn it would hit everybody else's streams.
      response.destroy();
      return;
    }
    if (!hasRoom) stall();
  };
  const tap = feed.attach({
    write: (text) => {
      if (waiting === '') atTurnEnd(flush);
      waiting += text;
      if (waiting.length >= gatheredCharsMax) flush();
      return hasRoom;
    },
    end: () => {
      flush();
      body.end();
      if (response.writableLength > 0) stall();
    },
    cut: () => {
      flush();
      // A client that stopped reading does not get the rest either; every other client gets what was written, and then no end.
      if (response.writableNeedDrain || response.socket === null) {
        response.destroy();
        return;
      }
      stall();
      response.socket.destroySoon();
    },
  });
  response.on('drain', () => {
    calm();
    hasRoom = true;
    tap.resume();
  });
  response.once('close', () => {
    calm();
    waiting = '';
    tap.leave();
  });
  tap.resume();
};
