import type { ServerResponse } from 'node:http';
import type { EventFeed } from '@tollgate/routes';

/** Cuts off a client that has room for nothing more for so long. Answers how to call it off. */
const limitStall = (response: ServerResponse, stallMs: number): (() => void) => {
  const timer = setTimeout(() => response.destroy(), stallMs);
  timer.unref();
  return () => clearTimeout(timer);
};

/**
 * Writes a feed straight to the socket, each piece as it comes, while the client takes it. A client that takes nothing for
 * `stallMs` is cut off; one that leaves only stops being written to.
 */
export const sendFeed = (response: ServerResponse, feed: EventFeed, stallMs: number): void => {
  let callOff: (() => void) | null = null;
  const calm = (): void => callOff?.();
  const stall = (): void => {
    calm();
    callOff = limitStall(response, stallMs);
  };
  const tap = feed.attach({
    write: (text) => {
      if (response.write(text)) return true;
      stall();
      return false;
    },
    end: () => {
      response.end();
      if (response.writableLength > 0) stall();
    },
    cut: () => {
      // Whoever takes nothing any more does not get the rest either; everybody else gets what was written, and then no end.
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
    tap.resume();
  });
  response.once('close', () => {
    calm();
    tap.leave();
  });
  tap.resume();
};
