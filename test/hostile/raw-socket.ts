import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RawSocket {
  readonly write: (bytes: string | Uint8Array) => void;
  /** The next whole answer, or null where the connection ended before there was one. */
  readonly answer: () => Promise<RawAnswer | null>;
  /** Resolves when the server has closed the connection, or it was destroyed. */
  readonly closed: Promise<void>;
  /** Ends our side and waits for nothing. */
  readonly end: () => void;
  readonly destroy: () => void;
}

const headEnd = Buffer.from('\r\n\r\n');

const parseHead = (head: string): Pick<RawAnswer, 'status' | 'headers'> => {
  const [first = '', ...lines] = head.split('\r\n');
  const pairs = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return { status: Number(first.split(' ')[1]), headers: Object.fromEntries(pairs) };
};

/** Takes one whole answer off the front of what was received. */
const takeAnswer = (received: Buffer): { readonly answer: RawAnswer; readonly rest: Buffer } | null => {
  const end = received.indexOf(headEnd);
  if (end === -1) return null;
  const head = parseHead(received.subarray(0, end).toString('latin1'));
  const from = end + headEnd.length;
  const until = from + (head.status === 100 ? 0 : Number(head.headers['content-length'] ?? 0));
  if (received.length < until) return null;
  return { answer: { ...head, body: received.toString('utf8', from, until) }, rest: received.subarray(until) };
};

/** A connection on which a test writes whatever it likes. */
export const openSocket = async (origin: string): Promise<RawSocket> => {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  let received: Buffer = Buffer.alloc(0);
  let open = true;
  let waiting: (() => void)[] = [];
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const resume of woken) resume();
  };
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  // A server that cuts us off is part of these tests.
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      open = false;
      wake();
      resolve();
    });
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject);
  });
  const answer = async (): Promise<RawAnswer | null> => {
    for (;;) {
      const taken = takeAnswer(received);
      if (taken !== null) {
        received = taken.rest;
        return taken.answer;
      }
      if (!open) return null;
      await new Promise<void>((resume) => waiting.push(resume));
    }
  };
  return {
    write: (bytes) => void socket.write(bytes),
    answer,
    closed,
    end: () => void socket.end(),
    destroy: () => void socket.destroy(),
  };
};

/** The head of a chat request with the headers given and a blank line. */
export const chatHead = (key: string, headers: readonly string[]): string =>
  [
    'POST /api/v1/ai/chat/completions HTTP/1.1',
    'Host: gateway.test',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    ...headers,
    '',
    '',
  ].join('\r\n');

/** A piece of a chunked body. */
export const chunkOf = (bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

export const lastChunk = '0\r\n\r\n';
