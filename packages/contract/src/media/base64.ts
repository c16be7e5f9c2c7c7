/** Characters of base64 from which the kind of a file is known: 64 give the first 48 bytes. */
const headCharsMax = 64;

/** The first bytes of base64 text, for a look at the magic bytes before the whole is decoded. */
export const decodeHead = (text: string): Buffer => Buffer.from(text.slice(0, headCharsMax), 'base64');

/** What may stand before so much padding: characters whose unused bits are not set. */
const lastChars: readonly string[] = [
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  'AEIMQUYcgkosw048',
  'AQgw',
];

const isCanonicalTail = (text: string, padding: number): boolean =>
  lastChars[padding]?.includes(text.charAt(text.length - padding - 1)) === true;

/** What `decodeBase64` does, for text without wide characters: such as was read as Latin-1. */
export const decodeNarrowBase64 = (text: string): Buffer | null => {
  if (text.length === 0 || text.length % 4 !== 0) return null;
  if (text.includes('-') || text.includes('_')) return null;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === (text.length / 4) * 3 - padding && isCanonicalTail(text, padding) ? bytes : null;
};

/** Decodes padded base64 of the standard alphabet, or returns null for anything else. Never runs a pattern over the
 * text: the runtime's decoder skips what it does not know, so a character too many shows as a byte too few. It does
 * read the URL alphabet and the low byte of wide characters, which are therefore looked for first. */
export const decodeBase64 = (text: string): Buffer | null =>
  Buffer.byteLength(text, 'utf8') === text.length ? decodeNarrowBase64(text) : null;
