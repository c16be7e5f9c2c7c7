import { once } from 'node:events';
import { connect, type Server, type Socket } from 'node:net';

/** A connection on which a test writes HTTP by hand. */
export interface RawSocket {
  readonly socket: Socket;
  readonly write: (text: string | Uint8Array) => void;
  /** Resolves with everything received once it matches, or with what there was when the other side closed. */
  readonly received: (pattern: RegExp) => Promise<string>;
}

/** Opens a connection to an origin. */
export const openRawSocket = async (origin: string): Promise<RawSocket> => {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port) });
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += String(chunk);
  });
  // A server that cuts the connection is what some tests wait for.
  socket.on('error', () => {});
  await once(socket, 'connect');
  return {
    socket,
    write: (more) => void socket.write(more),
    received: async (pattern) => {
      while (!pattern.test(text) && !socket.closed)
        await Promise.race([once(socket, 'data'), once(socket, 'close')]).catch(() => {});
      return text;
    },
  };
};

/** The server's side of the next connection. */
export const acceptOne = (server: Server): Promise<Socket> =>
  new Promise((resolve) => void server.once('connection', resolve));

/** The head of a chat request. */
export const chatHead = (key: string, ...headers: readonly string[]): string =>
  [
    'POST /api/v1/ai/chat/completions HTTP/1.1',
    'Host: gateway.test',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    ...headers,
    '',
    '',
  ].join('\r\n');
