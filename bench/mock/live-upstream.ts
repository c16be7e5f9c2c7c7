// An upstream that speaks the Gemini wire of sessions and responds to every piece of audio with one of the same length, stamped alike.
// Every 250 pieces, five seconds, a turn ends with its measure. It reads frames by itself: beside a relay under test it has to be cheap.
// node bench/mock/live-upstream.ts <port>
import { createServer } from 'node:http';
import { acceptOf, createFrameReader, frameOf, opcodes, unmasked } from '../socket-frames.ts';
import { modelAudio, stampChars, stampOf } from '../audio-message.ts';

const [port] = process.argv.slice(2).map(Number);
const server = createServer((_request, response) => response.writeHead(404).end());

const setupComplete = frameOf(opcodes.text, Buffer.from('{"setupComplete":{}}'), null);
const answer = frameOf(opcodes.text, Buffer.from(modelAudio), null);
const answerStampAt = answer.indexOf(modelAudio) + stampOf(modelAudio);
const turnPieces = 250;
const turnStep = 97;
let sessions = 0;
const usage = { promptTokenCount: 160, responseTokenCount: 125, totalTokenCount: 285 };
const turnEnd = frameOf(
  opcodes.text,
  Buffer.from(JSON.stringify({ serverContent: { turnComplete: true }, usageMetadata: usage })),
  null,
);
/** Nothing that stands before the stamp of a message is longer. */
const headChars = 80;

const answerTo = (head: Buffer): Buffer | null => {
  const stampAt = stampOf(head.toString('latin1'));
  if (stampAt === -1) return null;
  const copy = Buffer.from(answer);
  head.copy(copy, answerStampAt, stampAt, stampAt + stampChars);
  return copy;
};

server.on('upgrade', (request, socket) => {
  const accept = acceptOf(request.headers['sec-websocket-key'] ?? '');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  let isSetUp = false;
  // Sessions that began together do not end their turns together.
  sessions += 1;
  let pieces = (sessions * turnStep) % turnPieces;
  const reader = createFrameReader((opcode, bytes, from, to) => {
    if (opcode === opcodes.close) {
      socket.destroy();
      return;
    }
    if (opcode !== opcodes.text && opcode !== opcodes.binary) return;
    const reply = isSetUp ? answerTo(unmasked(bytes, from, Math.min(headChars, to - from))) : setupComplete;
    isSetUp = true;
    if (reply === null) return;
    socket.write(reply);
    if (reply === setupComplete) return;
    pieces += 1;
    if (pieces % turnPieces === 0) socket.write(turnEnd);
  });
  socket.on('data', (bytes: Buffer) => reader.feed(bytes));
  socket.on('error', () => {});
  socket.on('end', () => socket.end());
});
server.listen({ port, host: '127.0.0.1', backlog: 4_096 });
