import { connect } from 'node:net';
import { createMessageCounter } from '../http-framing.ts';

export interface RawConnection {
  /** Writes one request. The bytes may change once its answer has come. */
  send(request: Buffer): void;
  close(): void;
}

export interface RawConnectionOptions {
  readonly port: number;
  /** An answer came whole. */
  readonly onAnswer: (status: number) => void;
  /** The connection broke: whatever was asked on it gets no answer. */
  readonly onBroken: (cause: Error) => void;
}

const readBytesMax = 65_536;
const statusAt = 'HTTP/1.1 '.length;

/** A keep-alive connection without an HTTP client: one write a request, one buffer for all reads. */
export const openRawConnection = ({ port, onAnswer, onBroken }: RawConnectionOptions): Promise<RawConnection> =>
  new Promise((resolve, reject) => {
    const counter = createMessageCounter((startLine) => onAnswer(Number(startLine.slice(statusAt, statusAt + 3))));
    let closing = false;
    // A reset is an error and then a close.
    const broke = (cause: Error): void => {
      if (closing) return;
      closing = true;
      onBroken(cause);
    };
    const socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(readBytesMax),
        callback: (size, buffer) => {
          counter.feed(Buffer.from(buffer.buffer, buffer.byteOffset, size));
          return true;
        },
      },
    });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.on('error', broke);
      socket.on('close', () => broke(new Error('the connection was closed')));
      resolve({
        send: (request) => void socket.write(request),
        close: () => {
          closing = true;
          socket.destroy();
        },
      });
    });
  });
