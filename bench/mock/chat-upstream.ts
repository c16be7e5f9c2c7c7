// The model upstream of every contestant: reads whole requests and answers one fixed chat completion, as cheaply as Node can.
// node bench/mock/chat-upstream.ts <port> [latency ms]
import { createServer } from 'node:net';
import { createMessageCounter } from '../http-framing.ts';

const [port = '0', latency = '0'] = process.argv.slice(2);
const latencyMs = Number(latency);

const text = 'A wallet holds credits; an operation reserves them, runs once, and settles what was measured. '.repeat(6);
const completion = JSON.stringify({
  id: 'chatcmpl-9f8e7d6c5b4a39281706',
  object: 'chat.completion',
  created: 1_790_000_000,
  model: 'mock-1',
  choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop', logprobs: null }],
  usage: { prompt_tokens: 437, completion_tokens: 128, total_tokens: 565 },
  system_fingerprint: 'fp_mock',
});
const answer = Buffer.from(
  [
    'HTTP/1.1 200 OK',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(completion)}`,
    'connection: keep-alive',
    '',
    completion,
  ].join('\r\n'),
);

const server = createServer({ noDelay: true }, (socket) => {
  const reply = (): void => void (socket.writable && socket.write(answer));
  const counter = createMessageCounter(latencyMs === 0 ? reply : () => void setTimeout(reply, latencyMs));
  socket.on('data', (bytes) => counter.feed(bytes));
  // A gateway that is stopped cuts its connections.
  socket.on('error', () => socket.destroy());
});
server.listen({ port: Number(port), host: '127.0.0.1', backlog: 4_096 });
