/** A client's end of a session's socket. */
export interface KitSocket {
  readonly send: (frame: string) => void;
  /** The next frame; null once the socket is closed and nothing is left. */
  readonly next: () => Promise<string | null>;
  /** The code by which it was closed. */
  readonly closed: Promise<number>;
  readonly close: () => void;
}

const frameText = (data: unknown): string =>
  typeof data === 'string' ? data : data instanceof ArrayBuffer ? Buffer.from(data).toString() : '';

/** Opens a socket; rejects where the handshake is refused. */
export const openSocket = async (url: string, signal: AbortSignal): Promise<KitSocket> => {
  const socket = new WebSocket(url);
  socket.binaryType = 'arraybuffer';
  const frames: string[] = [];
  const waiting: ((frame: string | null) => void)[] = [];
  const closed = Promise.withResolvers<number>();
  const opened = Promise.withResolvers<void>();
  let isClosed = false;
  socket.addEventListener('message', ({ data }) => {
    const frame = frameText(data);
    const reader = waiting.shift();
    if (reader === undefined) frames.push(frame);
    else reader(frame);
  });
  socket.addEventListener('open', () => opened.resolve());
  socket.addEventListener('error', () => opened.reject(new Error(`no socket opens at ${url}`)));
  socket.addEventListener('close', ({ code }) => {
    isClosed = true;
    closed.resolve(code);
    for (const reader of waiting.splice(0)) reader(null);
  });
  signal.addEventListener('abort', () => socket.close(), { once: true });
  await opened.promise;
  return {
    send: (frame) => socket.send(frame),
    next: async () => {
      const frame = frames.shift();
      if (frame !== undefined) return frame;
      return isClosed ? null : new Promise((resolve) => waiting.push(resolve));
    },
    closed: closed.promise,
    close: () => socket.close(1000),
  };
};
