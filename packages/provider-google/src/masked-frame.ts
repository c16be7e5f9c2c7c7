import { randomFillSync } from 'node:crypto';
import type { Writable } from 'node:stream';

/** The longest payload that is written in a frame of its own. */
export const shortFrameBytesMax = 16_384;

const finalText = 0x81;
const masked = 0x80;
/** A longer payload has its length in two bytes of its own. */
const headLengthMax = 125;
const wordLength = 126;
const wordBytes = 4;
/** Of a head, its length and the mask; a short head begins later, so that the payload always begins with a whole word. */
const headBytesMax = 8;

/** Memory for one frame, as bytes and as words. */
interface FrameMemory {
  readonly bytes: Buffer;
  readonly words: Int32Array;
}

const memoryFor = (payloadBytes: number): FrameMemory => {
  const bytes = Buffer.allocUnsafeSlow(headBytesMax + Math.ceil(payloadBytes / wordBytes) * wordBytes);
  return { bytes, words: new Int32Array(bytes.buffer) };
};

const randomWords = new Int32Array(2_048);
let randomsUsed = randomWords.length;

/** Every frame has a mask of its own, which cannot be known before (RFC 6455, 5.3). */
const nextMask = (): number => {
  if (randomsUsed === randomWords.length) {
    randomFillSync(randomWords);
    randomsUsed = 0;
  }
  randomsUsed += 1;
  return randomWords[randomsUsed - 1] ?? 0;
};

/** A whole text frame as clients send them. Its payload is masked in words, where the library goes byte by byte. */
const frameIn = ({ bytes, words }: FrameMemory, utf8: Uint8Array): Buffer => {
  const { length } = utf8;
  const isLong = length > headLengthMax;
  const begin = isLong ? 0 : 2;
  bytes[begin] = finalText;
  bytes[begin + 1] = masked | (isLong ? wordLength : length);
  if (isLong) bytes.writeUInt16BE(length, begin + 2);
  bytes.set(utf8, headBytesMax);
  const mask = nextMask();
  const first = headBytesMax / wordBytes;
  const end = first + Math.ceil(length / wordBytes);
  words[first - 1] = mask;
  for (let at = first; at < end; at += 1) words[at] = (words[at] ?? 0) ^ mask;
  return bytes.subarray(begin, headBytesMax + length);
};

/** For one frame after the other of all sockets: the system nearly always takes a frame over at once. */
let shared = memoryFor(shortFrameBytesMax);

/** Writes a whole text frame around a payload of `shortFrameBytesMax` at the most. */
export const writeMasked = (wire: Writable, utf8: Uint8Array): void => {
  if (wire.writableLength > 0) {
    wire.write(frameIn(memoryFor(utf8.length), utf8));
    return;
  }
  wire.write(frameIn(shared, utf8));
  // What was not taken over stays with the socket.
  if (wire.writableLength > 0) shared = memoryFor(shortFrameBytesMax);
};
