import { connect } from 'node:net';
import { eventMark } from './stream-job.ts';

export interface EventStreamOptions {
  readonly port: number;
  readonly request: Buffer;
  /** So many events came with one read. */
  readonly onEvents: (count: number) => void;
  /** The stream is over: null where it came to its end, else why not. */
  readonly onEnd: (failure: string | null) => void;
}

const readBytesMax = 65_536;
const mark = eventMark.charCodeAt(0);
const goodStart = 'HTTP/1.1 200';
/** The end of an answer in chunks: the line end of the chunk before, and the empty chunk. */
const finish = '\r\n0\r\n\r\n';

const countMarks = (bytes: Buffer): number => {
  let count = 0;
  for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + 1)) count += 1;
  return count;
};

/**
 * Opens one stream on a socket of its own and counts the events in each read, without an HTTP client: the load must cost
 * less than what it measures.
 */
export const openEventStream = ({ port, request, onEvents, onEnd }: EventStreamOptions): void => {
  let begun = false;
  let ended = false;
  let tail = '';
  const end = (failure: string | null): void => {
    if (ended) return;
    ended = true;
    socket.destroy();
    onEnd(failure);
  };
  const socket = connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    onread: {
      buffer: Buffer.allocUnsafe(readBytesMax),
      callback: (size, buffer) => {
        const bytes = Buffer.from(buffer.buffer, buffer.byteOffset, size);
        if (!begun && bytes.toString('latin1', 0, goodStart.length) !== goodStart) {
          end(bytes.toString('latin1', 0, 400));
          return false;
        }
        begun = true;
        const count = countMarks(bytes);
        if (count > 0) onEvents(count);
        tail = (tail + bytes.toString('latin1', Math.max(0, size - finish.length))).slice(-finish.length);
        if (tail === finish) end(null);
        return true;
      },
    },
  });
  socket.on('connect', () => socket.write(request));
  socket.on('error', (cause) => end(cause.message));
  socket.on('close', () => end('the connection was closed before the end'));
};
