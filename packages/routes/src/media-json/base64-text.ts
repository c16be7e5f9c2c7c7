import { createBase64Decoder } from '@tollgate/contract';

/** An escape that is not complete yet: a lone backslash, or the beginning of `\u` and four digits. */
const openEscape = /\\(?:u[\da-f]{0,3})?$/i;
const backslash = 0x5c;
const escapeCharsMax = 6;
const beyondAscii = /[^\0-\x7f]/;

/** The text without its escapes; null where it is not JSON, or has a character that no base64 has. */
const unescaped = (raw: string): string | null => {
  if (!raw.includes('\\')) return raw;
  try {
    const text: unknown = JSON.parse(`"${raw}"`);
    return typeof text !== 'string' || beyondAscii.test(text) ? null : text;
  } catch {
    return null;
  }
};

/** Decodes the inside of a JSON text that is base64, piece by piece. */
export interface Base64Text {
  /** What the raw bytes so far decode to, or null where they are no base64. They may end inside an escape. */
  push(raw: Buffer): Buffer | null;
  end(): Buffer | null;
}

export const createBase64Text = (): Base64Text => {
  const decoder = createBase64Decoder();
  let held = '';
  return {
    push: (raw) => {
      if (held === '' && !raw.includes(backslash)) return decoder.push(raw);
      const text = held + raw.toString('latin1');
      const end = text.slice(-escapeCharsMax);
      const cut = text.length - end.length + (openEscape.exec(end)?.index ?? end.length);
      const plain = unescaped(text.slice(0, cut));
      const bytes = plain === null ? null : decoder.push(Buffer.from(plain, 'latin1'));
      if (bytes !== null) held = text.slice(cut);
      return bytes;
    },
    end: () => (held === '' ? decoder.end() : null),
  };
};
