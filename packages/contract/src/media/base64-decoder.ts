import { decodeBase64 } from './base64.ts';

/** Decodes base64 that comes in pieces of its characters' bytes, as strictly as `decodeBase64` decodes it whole. */
export interface Base64Decoder {
  /**
   * The bytes that the text so far makes certain, or null where it cannot be base64 any more. They are good until the next piece
   * is pushed.
   */
  push(text: Buffer): Buffer | null;
  /** The last bytes, or null where the text as a whole was no base64. */
  end(): Buffer | null;
}

/** The runtime's decoder takes them for those of the standard alphabet. */
const isOfUrlAlphabet = (text: Buffer): boolean => text.includes(0x2d) || text.includes(0x5f);

/** What comes before the last four characters, which are held back until the end is known: only there may padding stand. */
const certainChars = (chars: number): number => Math.max(0, chars - 1 - ((chars - 1) % 4));

const decodeInto = (bytes: Buffer, at: number, text: Buffer): boolean =>
  !isOfUrlAlphabet(text) && bytes.write(text.toString('latin1'), at, 'base64') === (text.length / 4) * 3;

/**
 * Long text is decoded where it lies, but for the few characters of a group that came in two pieces: copies of it would be most of
 * what a large upload costs.
 */
export const createBase64Decoder = (): Base64Decoder => {
  let held: Buffer = Buffer.alloc(0);
  let room: Buffer = Buffer.alloc(0);
  return {
    push: (text) => {
      const chars = certainChars(held.length + text.length);
      if (chars === 0) {
        held = Buffer.concat([held, text]);
        return Buffer.alloc(0);
      }
      const split = held.length === 0 ? 0 : 4 - held.length;
      const group = Buffer.concat([held, text.subarray(0, split)]);
      const rest = text.subarray(split, split + chars - group.length);
      const size = (chars / 4) * 3;
      if (room.length < size) room = Buffer.allocUnsafeSlow(size);
      const bytes = room.subarray(0, size);
      if (!decodeInto(bytes, 0, group) || !decodeInto(bytes, (group.length / 4) * 3, rest)) return null;
      held = Buffer.from(text.subarray(split + rest.length));
      return bytes;
    },
    end: () => decodeBase64(held.toString('latin1')),
  };
};
