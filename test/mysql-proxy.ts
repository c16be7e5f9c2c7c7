// Loses what a server of MySQL answers, for tests of what a client makes of that.
import { connect, createServer, type Socket } from 'node:net';

const headBytes = 4;
const okMark = 0x00;
const errorMark = 0xff;
const moreResults = 0x08;

/**
 * Whether these are the server's answers to all statements of a packet, none of which returns rows. Each is a length of three bytes, a
 * number, and a mark; in one that says OK two short counts and the flags follow.
 */
const isWholeAnswer = (bytes: Buffer): boolean => {
  for (let at = 0; at + headBytes < bytes.length; at += headBytes + bytes.readUIntLE(at, 3)) {
    const mark = bytes[at + headBytes];
    const flags = bytes[at + headBytes + 3] ?? moreResults;
    if (mark === errorMark || (mark === okMark && (flags & moreResults) === 0)) return true;
  }
  return false;
};

/** Stands between a client and a server; passes everything on, except for one response that a test names. */
export const createMysqlProxy = async (url: string) => {
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
        near.write(bytes);
        return;
      }
      // The first answers may come while the commit is under way.
      swallowed = Buffer.concat([swallowed, bytes]);
      if (!isWholeAnswer(swallowed)) return;
      cuts += 1;
      cut();
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
