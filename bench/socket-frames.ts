import { createHash } from 'node:crypto';

/** What a frame is for. */
export const opcodes = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** A whole frame: its payload lies from `from` to `to`, and where it is masked, its mask right before. */
export type OnFrame = (opcode: number, bytes: Buffer, from: number, to: number) => void;

export interface FrameReader {
  /** Takes in the bytes of one read; calls back for each frame that they complete. The buffer may be reused after. */
  feed(bytes: Buffer): void;
}

const maskBytes = 4;
const shortBytesMax = 125;
const wordBytesMax = 65_535;

/** Where the payload of a frame lies; null until its head is there. */
const placeOf = (bytes: Buffer, at: number): { readonly from: number; readonly to: number } | null => {
  const second = bytes[at + 1];
  if (second === undefined) return null;
  const short = second & 0x7f;
  if (short > 126) throw new Error('a frame of a length that no program of this folder writes');
  const lengthBytes = short === 126 ? 2 : 0;
  if (bytes.length < at + 2 + lengthBytes) return null;
  const length = lengthBytes === 0 ? short : bytes.readUInt16BE(at + 2);
  const from = at + 2 + lengthBytes + ((second & 0x80) === 0 ? 0 : maskBytes);
  return { from, to: from + length };
};

/**
 * Reads frames of WebSocket out of a stream of reads, and does no more: no fragments, no checks. A parser for measuring, whose
 * cost must be small beside that of a relay under test.
 */
export const createFrameReader = (onFrame: OnFrame): FrameReader => {
  let rest: Buffer | null = null;
  return {
    feed: (read) => {
      const bytes = rest === null ? read : Buffer.concat([rest, read]);
      rest = null;
      let at = 0;
      while (at < bytes.length) {
        const place = placeOf(bytes, at);
        if (place === null || place.to > bytes.length) {
          // A copy, for the caller's buffer is reused.
          rest = Buffer.from(bytes.subarray(at));
          return;
        }
        onFrame((bytes[at] ?? 0) & 0x0f, bytes, place.from, place.to);
        at = place.to;
      }
    },
  };
};

/** Takes the mask off a part of a frame, from its beginning. */
export const unmasked = (bytes: Buffer, from: number, length: number): Buffer => {
  const plain = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; at += 1)
    plain[at] = (bytes[from + at] ?? 0) ^ (bytes[from - maskBytes + (at % maskBytes)] ?? 0);
  return plain;
};

/** A whole frame; masked, as clients have to, where there is a mask. */
export const frameOf = (opcode: number, payload: Buffer, mask: Buffer | null): Buffer => {
  const { length } = payload;
  if (length > wordBytesMax) throw new Error('longer than any frame of this bench');
  const lengthBytes = length > shortBytesMax ? 2 : 0;
  const maskFrom = 2 + lengthBytes;
  const from = maskFrom + (mask === null ? 0 : maskBytes);
  const frame = Buffer.alloc(from + length);
  frame[0] = 0x80 | opcode;
  frame[1] = (mask === null ? 0 : 0x80) | (lengthBytes === 0 ? length : 126);
  if (lengthBytes > 0) frame.writeUInt16BE(length, 2);
  payload.copy(frame, from);
  mask?.copy(frame, maskFrom);
  if (mask !== null)
    for (let at = 0; at < length; at += 1) frame[from + at] = (payload[at] ?? 0) ^ (mask[at % maskBytes] ?? 0);
  return frame;
};

const acceptGuid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** The answer of a server to the key of a handshake. */
export const acceptOf = (key: string): string =>
  createHash('sha1')
    .update(key + acceptGuid)
    .digest('base64');
