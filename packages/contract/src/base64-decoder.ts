import { decodeBase64 } from './base64.ts';

/** Decodes base64 that comes in pieces, as strictly as `decodeBase64` decodes it whole. */
export interface Base64Decoder {
  /** The bytes that the text so far makes certain, or null where it cannot be base64 any more. */
  push(text: string): Buffer | null;
  /** The last bytes, or null where the text as a whole was no base64. */
  end(): Buffer | null;
}

const isOfUrlAlphabet = (text: string): boolean => text.includes('-') || text.includes('_');

/** The last four characters are held back until the end is known, for only there may padding stand. */
export const createBase64Decoder = (): Base64Decoder => {
  let held = '';
  return {
    push: (text) => {
      const all = held === '' ? text : held + text;
      const chars = Math.max(0, all.length - 1 - ((all.length - 1) % 4));
      held = all.slice(chars);
      if (chars === 0) return Buffer.alloc(0);
      const whole = all.slice(0, chars);
      if (isOfUrlAlphabet(whole) || Buffer.byteLength(whole, 'utf8') !== chars) return null;
      const bytes = Buffer.from(whole, 'base64');
      return bytes.length === (chars / 4) * 3 ? bytes : null;
    },
    end: () => decodeBase64(held),
  };
};
