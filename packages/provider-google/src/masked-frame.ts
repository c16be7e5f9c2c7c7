import { randomFillSync } from 'node:crypto';

/** The longest payload that is copied into a frame of its own. */
export const shortFrameBytesMax = 16_384;

const finalText = 0x81;
const masked = 0x80;
/** A longer payload has its length in two bytes of its own. */
const headLengthMax = 125;
const wordLength = 126;
const wordBytes = 4;
/** Of a head, its length and the mask; what is shorter begins later, so that the payload begins with a whole word. */
const headBytesMax = 8;

/** Frames lie one after another in memory that is taken for many at once. */
const slabBytes = 65_536;

interface Slab {
  readonly bytes: Buffer;
  /** The same, as words. */
  readonly words: Int32Array;
}

const newSlab = (): Slab => {
  const memory = new ArrayBuffer(slabBytes);
  return { bytes: Buffer.from(memory), words: new Int32Array(memory) };
};

const randomWords = new Int32Array(2_048);
let randomsUsed = randomWords.length;

/** Every frame has a mask that nobody can tell before (RFC 6455, 5.3). */
const nextMask = (): number => {
  if (randomsUsed === randomWords.length) {
    randomFillSync(randomWords);
    randomsUsed = 0;
  }
  randomsUsed += 1;
  return randomWords[randomsUsed - 1] ?? 0;
};

let slab = newSlab();
let used = 0;

/**
 * A whole text frame as clients send them, around a payload of `shortFrameBytesMax` at the most. It is masked in words of four bytes,
 * where the library goes byte by byte.
 */
export const maskedFrame = (utf8: Uint8Array): Buffer => {
  const { length } = utf8;
  const words = Math.ceil(length / wordBytes);
  const bytes = headBytesMax + words * wordBytes;
  if (used + bytes > slabBytes) {
    slab = newSlab();
    used = 0;
  }
  const payload = used + headBytesMax;
  const begin = length > headLengthMax ? used : used + 2;
  used += bytes;
  slab.bytes[begin] = finalText;
  slab.bytes[begin + 1] = masked | (length > headLengthMax ? wordLength : length);
  if (length > headLengthMax) slab.bytes.writeUInt16BE(length, begin + 2);
  slab.bytes.set(utf8, payload);
  const mask = nextMask();
  const first = payload / wordBytes;
  slab.words[first - 1] = mask;
  for (let word = first; word < first + words; word += 1) slab.words[word] = (slab.words[word] ?? 0) ^ mask;
  return slab.bytes.subarray(begin, payload + length);
};
