// Loses what a server answers, for tests of what a client makes of that.
import { connect, createServer, type Socket } from 'node:net';

export interface AnswerProxyOptions {
  /** Whether these bytes are the whole answer to what was sent; the connection is cut once they are there. */
  readonly isWhole: (answer: Buffer) => boolean;
  /** What the client gets of bytes that are passed on. */
  readonly shown?: (bytes: Buffer) => Buffer;
}

/** Stands between a client and a server; passes everything on, except for one response that a test names. */
export const createAnswerProxy = async (url: string, { isWhole, shown = (bytes) => bytes }: AnswerProxyOptions) => {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let swallowAfter: string | null = null;
  let cuts = 0;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    let isMute = false;
    let swallowed = Buffer.alloc(0);
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
    far.on('data', (bytes: Buffer) => {
      if (!isMute) {
        near.write(shown(bytes));
        return;
      }
      // The first answers may come while the commit is under way.
      swallowed = Buffer.concat([swallowed, bytes]);
      if (!isWhole(swallowed)) return;
      cuts += 1;
      cut();
    });
    for (const socket of [near, far]) {
      sockets.add(socket);
      // Else an answer of several pieces waits 40 ms for the other side to confirm the first one.
      socket.setNoDelay(true);
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
    /** The answer to what next holds this text is lost, with its connection. */
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
