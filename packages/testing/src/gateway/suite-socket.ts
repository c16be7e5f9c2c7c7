import { WebSocket, type RawData } from 'ws';

/** A client's end of a socket, as the cases use it. */
export interface SuiteSocket {
  readonly send: (frame: string | Uint8Array) => void;
  /** Leaves as a client that has finished. */
  readonly close: () => void;
  /** Drops the connection without a word. */
  readonly drop: () => void;
  /** The next frame of the server; rejects where the socket is closed before one comes. */
  readonly next: () => Promise<string>;
  /** Unread frames. */
  readonly unread: () => readonly string[];
  /** The code that the server closed with; 1006 where it did not say. */
  readonly closed: Promise<number>;
  readonly onClose: (listener: (code: number) => void) => void;
}

const closedError = (): Error => new Error('the socket was closed');
const nobody = (): void => {};

/** Tells one listener of the end, also one that comes after it. */
const onceClosed =
  (closed: Promise<number>): SuiteSocket['onClose'] =>
  async (listener) => {
    listener(await closed);
  };

/** Frames as they come, for the first reader. */
const createInbox = () => {
  const frames: string[] = [];
  const askers: { readonly resolve: (frame: string) => void; readonly reject: (cause: Error) => void }[] = [];
  let over = false;
  return {
    frames,
    put: (frame: string): void => {
      const asker = askers.shift();
      if (asker === undefined) frames.push(frame);
      else asker.resolve(frame);
    },
    end: (): void => {
      over = true;
      for (const { reject } of askers.splice(0)) reject(closedError());
    },
    next: (): Promise<string> => {
      const frame = frames.shift();
      if (frame !== undefined) return Promise.resolve(frame);
      return over ? Promise.reject(closedError()) : new Promise((resolve, reject) => askers.push({ resolve, reject }));
    },
  };
};

/** Opens a real socket, as a page of the origin would; null names none. */
export const dialSocket = (url: string, origin: string | null = null): Promise<SuiteSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false, origin: origin ?? undefined });
    const inbox = createInbox();
    const { promise: closed, resolve: tellClosed } = Promise.withResolvers<number>();
    socket.on('message', (data: RawData) => inbox.put(Buffer.isBuffer(data) ? data.toString('utf8') : ''));
    socket.on('close', (code) => {
      inbox.end();
      tellClosed(code);
    });
    socket.once('error', reject);
    socket.once('open', () => {
      socket.on('error', () => {});
      resolve({
        send: (frame) => socket.send(frame),
        close: () => socket.close(1000),
        drop: () => socket.terminate(),
        next: inbox.next,
        unread: () => inbox.frames,
        closed,
        onClose: onceClosed(closed),
      });
    });
  });

/** A server's end of a socket, in the shape that sessions see sockets in. */
export interface ServerSocket {
  readonly origin: string | null;
  readonly send: (text: string | Uint8Array) => void;
  readonly close: (code: number) => void;
  readonly terminate: () => void;
  readonly ping: () => void;
  readonly bufferedBytes: () => number;
  readonly onMessage: (listener: (utf8: Buffer | null) => void) => void;
  readonly onPong: (listener: () => void) => void;
  readonly onClose: (listener: () => void) => void;
}

/** Both ends of a socket without a wire: frames arrive in the next turn of the event loop, in order. */
export const socketPair = (
  origin: string | null = null,
): { readonly client: SuiteSocket; readonly server: ServerSocket } => {
  const inbox = createInbox();
  const { promise: closed, resolve: tellClosed } = Promise.withResolvers<number>();
  let open = true;
  let onMessage: (utf8: Buffer | null) => void = nobody;
  let onPong = nobody;
  let onClose = nobody;
  const end = (code: number): void => {
    if (!open) return;
    open = false;
    setImmediate(() => {
      inbox.end();
      tellClosed(code);
      onClose();
    });
  };
  return {
    client: {
      send: (frame) =>
        void setImmediate(() => {
          if (!open) return;
          onMessage(typeof frame === 'string' ? Buffer.from(frame) : null);
        }),
      close: () => void setImmediate(() => end(1000)),
      drop: () => void setImmediate(() => end(1006)),
      next: inbox.next,
      unread: () => inbox.frames,
      closed,
      onClose: onceClosed(closed),
    },
    server: {
      origin,
      send: (text) => {
        const told = typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
        if (open) setImmediate(() => inbox.put(told));
      },
      close: end,
      terminate: () => end(1006),
      ping: () => {
        if (open) setImmediate(onPong);
      },
      bufferedBytes: () => 0,
      onMessage: (listener) => {
        onMessage = listener;
      },
      onPong: (listener) => {
        onPong = listener;
      },
      onClose: (listener) => {
        onClose = listener;
      },
    },
  };
};
