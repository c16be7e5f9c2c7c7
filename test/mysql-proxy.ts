// Loses what a server of MySQL answers, for tests of what a client makes of that.
import { connect, createServer, type Socket } from 'node:net';

/** Stands between a client and a server; passes everything on, except for one response that a test names. */
export const createMysqlProxy = async (url: string) => {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let swallowAfter: string | null = null;
  let cuts = 0;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    let isMute = false;
    const cut = (): void => {
      near.destroy();
      far.destroy();
    };
    near.on('data', (bytes: Buffer) => {
      if (swallowAfter !== null && bytes.includes(swallowAfter)) {
        isMute = true;
        swallowAfter = null;
      }
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (isMute) {
        cuts += 1;
        cut();
      } else near.write(bytes);
    });
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', cut);
      socket.on('close', cut);
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const through = new URL(url);
  through.port = String(typeof address === 'object' ? address?.port : '');
  return {
    url: through.href,
    /** The answer to the next packet that holds this text is lost, with its connection. */
    swallowAnswerTo: (text: string): void => {
      swallowAfter = text;
    },
    /** How many answers were swallowed. */
    cuts: (): number => cuts,
    close: (): void => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};
