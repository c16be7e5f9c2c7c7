import type { LiveSocket } from '@tollgate/live';
import type { RawData, WebSocket } from 'ws';

const bytesOf = (data: RawData): number =>
  Array.isArray(data) ? data.reduce((sum, { length }) => sum + length, 0) : data.byteLength;

/** A socket of `ws` as the sessions see sockets. */
export const toLiveSocket = (socket: WebSocket): LiveSocket => {
  // What goes wrong ends in `close`, and there is nobody to tell more.
  socket.on('error', () => {});
  return {
    send: (text) => {
      if (socket.readyState === socket.OPEN) socket.send(text);
    },
    close: (code) => socket.close(code),
    terminate: () => socket.terminate(),
    ping: () => {
      if (socket.readyState === socket.OPEN) socket.ping();
    },
    bufferedBytes: () => socket.bufferedAmount,
    onMessage: (listener) =>
      void socket.on('message', (data: RawData, isBinary: boolean) =>
        // Text frames come as one buffer, whose text the library has checked.
        isBinary || !Buffer.isBuffer(data)
          ? listener(null, bytesOf(data))
          : listener(data.toString('utf8'), data.length),
      ),
    onPong: (listener) => void socket.on('pong', listener),
    onClose: (listener) => void socket.once('close', () => listener()),
  };
};
