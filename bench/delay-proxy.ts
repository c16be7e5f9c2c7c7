// Stands between a client and PostgreSQL, and passes everything on later: a network with a round trip of `roundTripMs`.
import { connect, createServer, type Socket } from 'node:net';

export interface DelayProxy {
  /** The database's address through the proxy. */
  readonly url: string;
  readonly close: () => void;
}

/** Bytes keep their order: timers of one length fire in the order in which they were set. */
const passLater = (from: Socket, to: Socket, delayMs: number): void => {
  from.on('data', (bytes) => {
    setTimeout(() => to.write(bytes), delayMs);
  });
  from.on('error', () => to.destroy());
  from.on('close', () => to.destroy());
};

export const startDelayProxy = async (url: string, roundTripMs: number): Promise<DelayProxy> => {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      socket.setNoDelay(true);
      sockets.add(socket);
    }
    passLater(near, far, roundTripMs / 2);
    passLater(far, near, roundTripMs / 2);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const through = new URL(url);
  through.port = String(typeof address === 'object' ? address?.port : '');
  return {
    url: through.href,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};
