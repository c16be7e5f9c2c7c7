import { isUtf8 } from 'node:buffer';

const finalText = 0x81;
const maskedBit = 0x80;
const headBytes = 2;
const maskBytes = 4;
const wordBytes = 4;
/** A payload of up to so many bytes has its length in the head. */
const shortBytesMax = 125;
const wordLength = 126;

/** What is read at once: frames of this direction, whose payload is no longer than this. */
export interface TextFrameRules {
  /** Whether payloads have masks: those of clients do, and those of servers do not (RFC 6455, 5.1). */
  readonly masked: boolean;
  readonly payloadBytesMax: number;
}

/** Where the payload of the frame begins that begins here; -1 where it is not a whole text message in one short frame. */
const payloadAt = (bytes: Buffer, at: number, { masked }: TextFrameRules): number => {
  if (bytes[at] !== finalText) return -1;
  const length = (bytes[at + 1] ?? 0) ^ (masked ? maskedBit : 0);
  if (length > wordLength) return -1;
  return at + headBytes + (length === wordLength ? 2 : 0) + (masked ? maskBytes : 0);
};

const payloadBytes = (bytes: Buffer, at: number): number => {
  const short = (bytes[at + 1] ?? 0) & ~maskedBit;
  return short <= shortBytesMax ? short : ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
};

/** Puts the mask that stands before a payload on it, or takes it off. In words, where it lies on them, as it nearly always does. */
const turnMask = (bytes: Buffer, from: number, to: number): void => {
  const begin = bytes.byteOffset + from;
  let at = from;
  if (begin % wordBytes === 0) {
    const count = (to - from) >> 2;
    const words = new Int32Array(bytes.buffer, begin - maskBytes, count + 1);
    const mask = words[0] ?? 0;
    for (let word = 1; word <= count; word += 1) words[word] = (words[word] ?? 0) ^ mask;
    at += count * wordBytes;
  }
  for (; at < to; at += 1) bytes[at] = (bytes[at] ?? 0) ^ (bytes[from - maskBytes + ((at - from) % maskBytes)] ?? 0);
};

/** The text of a payload, or null where it is no UTF-8; the bytes are then as they were. */
const textAt = (bytes: Buffer, from: number, to: number, masked: boolean): Buffer | null => {
  if (masked) turnMask(bytes, from, to);
  const text = bytes.subarray(from, to);
  if (isUtf8(text)) return text;
  if (masked) turnMask(bytes, from, to);
  return null;
};

/**
 * Reads text messages that are whole, each in one frame, from the beginning of the bytes, and reports each: as the UTF-8 that it
 * is, in place. Returns how many bytes these were. It stops at whatever is something else, or is forbidden, or not all there yet.
 */
export const readTextFrames = (bytes: Buffer, rules: TextFrameRules, onText: (utf8: Buffer) => void): number => {
  let at = 0;
  while (at + headBytes <= bytes.length) {
    const from = payloadAt(bytes, at, rules);
    if (from === -1 || from > bytes.length) return at;
    const length = payloadBytes(bytes, at);
    const to = from + length;
    if (to > bytes.length || length > rules.payloadBytesMax) return at;
    const text = textAt(bytes, from, to, rules.masked);
    if (text === null) return at;
    at = to;
    onText(text);
  }
  return at;
};
