// Loses what a server of PostgreSQL answers, for tests of what a client makes of that.
import { connect, createServer, type Socket } from 'node:net';

/** The server's message that an administrator ended the session. */
const shutdownMessage = (): Buffer => {
  const fields = Buffer.from(['SFATAL', 'VFATAL', 'C57P01', 'Mthe session was ended', '', ''].join('\0'));
  const length = Buffer.alloc(4);
  length.writeInt32BE(length.length + fields.length);
  return Buffer.concat([Buffer.from('E'), length, fields]);
};

const readyForQuery = Buffer.from('Z\0\0\0\u0005I', 'latin1');

/** Stands between a client and a server; passes everything on, except for one response that a test names. */
export const createPostgresProxy = async (url: string) => {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let swallowAfter: string | null = null;
  let cuts = 0;
  let sessionsToEnd = 0;
  const ended = (bytes: Buffer): Buffer => {
    sessionsToEnd -= 1;
    return Buffer.concat([bytes, shutdownMessage()]);
  };
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    let mute = false;
    near.on('data', (bytes: Buffer) => {
      if (swallowAfter !== null && bytes.includes(swallowAfter)) {
        mute = true;
        swallowAfter = null;
      }
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (mute) {
        cuts += 1;
        cut();
      } else near.write(sessionsToEnd > 0 && bytes.subarray(-6).equals(readyForQuery) ? ended(bytes) : bytes);
    });
    const cut = (): void => {
      near.destroy();
      far.destroy();
    };
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
    /** The answer to what next holds this text is lost, with its connection. */
    swallowAnswerTo: (text: string): void => {
      swallowAfter = text;
    },
    /** How many answers were swallowed. */
    cuts: (): number => cuts,
    /** The server ends the next session in the same segment that says that it is ready. */
    endNextSession: (): void => {
      sessionsToEnd += 1;
    },
    sessionsToEnd: (): number => sessionsToEnd,
    close: (): void => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};
