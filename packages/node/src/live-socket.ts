import type { Duplex } from 'node:stream';
import type { LiveSocket } from '@tollgate/live';
import { readTextsFirst } from '@tollgate/provider';
import type { RawData, WebSocket } from 'ws';
import { shortFrameBytesMax, textFrame } from './text-frame.ts';

/** Where a socket of `ws` came from, and what it writes to. */
export interface SocketSource {
  readonly wire: Duplex;
  readonly origin: string | null;
  /** The longest message that is taken. */
  readonly messageBytesMax: number;
}

/** A socket of `ws` as the sessions see sockets. */
export const toLiveSocket = (socket: WebSocket, { wire, origin, messageBytesMax }: SocketSource): LiveSocket => {
  // What goes wrong ends in `close`, and no receiver is left for more.
  socket.on('error', () => {});
  return {
    origin,
    send: (text) => {
      if (socket.readyState !== socket.OPEN) return;
      if (typeof text === 'string' || text.length > shortFrameBytesMax) socket.send(text, { binary: false });
      // In one piece, where the library would write head and payload apart. It keeps nothing back, compression being off, so
      // that whole frames may stand beside its own.
      else wire.write(textFrame(text));
    },
    close: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
    ping: () => {
      if (socket.readyState === socket.OPEN) socket.ping();
    },
    bufferedBytes: () => socket.bufferedAmount,
    onMessage: (listener) => {
      readTextsFirst(socket, wire, { masked: true, payloadBytesMax: messageBytesMax }, listener);
      socket.on('message', (data: RawData, isBinary: boolean) =>
        // Text frames come as one buffer, whose text the library has checked.
        listener(isBinary || !Buffer.isBuffer(data) ? null : data),
      );
    },
    onPong: (listener) => void socket.on('pong', listener),
    onClose: (listener) => void socket.once('close', () => listener()),
  };
};
