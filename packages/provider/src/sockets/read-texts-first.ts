import type { EventEmitter } from 'node:events';
import { createFrameWalk } from './frame-walk.ts';
import { readTextFrames, type TextFrameRules } from './text-frames.ts';

/** Of a socket of `ws`: that it failed. */
export interface FramedSocket {
  readonly on: (event: 'error', listener: () => void) => unknown;
}

/**
 * Reads text messages before `ws` does, and leaves everything else to it: long and parted messages, bytes, pings, closes, and what
 * is forbidden. Nearly all frames of a session are such texts, and their way through the stream and the states of the
 * library costs a tenth of the session. To be called before anything was read of the wire; where the library reads it in another
 * way than it does today, nothing is done, and all goes through it.
 */
export const readTextsFirst = (
  socket: FramedSocket,
  wire: EventEmitter,
  rules: TextFrameRules,
  onText: (utf8: Buffer) => void,
): void => {
  const [theirs, ...others] = wire.listeners('data');
  if (theirs === undefined || others.length > 0) return;
  const walk = createFrameWalk();
  let over = false;
  const onData = (bytes: Buffer): void => {
    // The library would have stopped listening.
    if (over) return;
    const read = walk.isBetweenMessages() ? readTextFrames(bytes, rules, onText) : 0;
    if (read === bytes.length) return;
    const rest = read === 0 ? bytes : bytes.subarray(read);
    walk.pass(rest);
    over = walk.isClosed();
    Reflect.apply(theirs, wire, [rest]);
  };
  socket.on('error', () => {
    over = true;
  });
  wire.removeAllListeners('data');
  wire.on('data', onData);
};
