// The streaming upstream of every contestant: speaks the Gemini wire, at a fixed rate, as cheaply as Node can.
// node bench/mock/stream-upstream.ts <port> [--rate 50] [--events 500] [--chars 24]
import { createServer, type Socket } from 'node:net';
import { parseArgs } from 'node:util';
import { createMessageCounter } from '../http-framing.ts';
import { eventMark } from '../load/stream-job.ts';
import { createTimerWheel } from './timer-wheel.ts';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rate: { type: 'string', default: '50' },
    events: { type: 'string', default: '500' },
    chars: { type: 'string', default: '24' },
  },
});

const events = Number(flags.events);
const promptTokens = 437;

const usage = (outputTokens: number) => ({
  promptTokenCount: promptTokens,
  candidatesTokenCount: outputTokens,
  totalTokenCount: promptTokens + outputTokens,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: promptTokens }],
});

const text = `${'a word of an answer '.repeat(Math.ceil(Number(flags.chars) / 20)).slice(0, Number(flags.chars) - 1)}${eventMark}`;

/** Lines end as the upstream family ends them, which some peers rely on. */
const event = (end: object, outputTokens: number): Buffer => {
  const candidate = { content: { parts: [{ text }], role: 'model' }, index: 0, ...end };
  const rest = { modelVersion: 'mock-1', responseId: 'mock-response' };
  return Buffer.from(
    `data: ${JSON.stringify({ candidates: [candidate], usageMetadata: usage(outputTokens), ...rest })}\r\n\r\n`,
  );
};

const asChunk = (data: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]);

const head = Buffer.from(
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\nconnection: keep-alive\r\n\r\n',
);
const next = asChunk(event({}, 1));
const first = Buffer.concat([head, next]);
const last = Buffer.concat([asChunk(event({ finishReason: 'STOP' }, events)), Buffer.from('0\r\n\r\n')]);

const counted = JSON.stringify({ totalTokens: promptTokens, promptTokensDetails: usage(0).promptTokensDetails });
const count = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${counted.length}\r\n\r\n${counted}`,
);
const missing = Buffer.from('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');

const wheel = createTimerWheel(1_000 / Number(flags.rate));

/** The first event at once, each other one turn of the wheel later, the last with the usage of the whole. */
const stream = (socket: Socket): void => {
  let sent = 1;
  socket.write(first);
  const turn = (): boolean => {
    if (!socket.writable) return false;
    sent += 1;
    socket.write(sent < events ? next : last);
    return sent < events;
  };
  wheel.add(turn);
};

const answer = (socket: Socket, startLine: string): void => {
  if (startLine.includes(':streamGenerateContent')) stream(socket);
  else socket.write(startLine.includes(':countTokens') ? count : missing);
};

const server = createServer({ noDelay: true }, (socket) => {
  const counter = createMessageCounter((startLine) => answer(socket, startLine));
  socket.on('data', (bytes) => counter.feed(bytes));
  // A gateway that is stopped cuts its connections.
  socket.on('error', () => socket.destroy());
});
server.listen({ port: Number(positionals[0]), host: '127.0.0.1', backlog: 4_096 });
