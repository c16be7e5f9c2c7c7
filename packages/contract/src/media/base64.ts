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

/** Bytes that base64 text without wide characters stands for, by its length; null where its form shows that it is none. */
const narrowLength = (text: string): number | null => {
  if (text.length === 0 || text.length % 4 !== 0) return null;
  if (text.includes('-') || text.includes('_')) return null;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return isCanonicalTail(text, padding) ? (text.length / 4) * 3 - padding : null;
};

const decodeNarrowBase64 = (text: string): Buffer | null => {
  const length = narrowLength(text);
  if (length === null) return null;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === length ? bytes : null;
};

/** What is decoded only to see whether it is base64 is written here, and never read. */
const scratch = Buffer.allocUnsafeSlow(4_096);

/** Whether `decodeBase64` returns bytes, for text without wide characters: such as was read as Latin-1. */
export const isNarrowBase64 = (text: string): boolean => {
  const length = narrowLength(text);
  if (length === null) return false;
  return length > scratch.length ? decodeNarrowBase64(text) !== null : scratch.write(text, 'base64') === length;
};

/** Decodes padded base64 of the standard alphabet, or returns null for anything else. Never runs a pattern over the
 * text: the runtime's decoder skips what it does not know, so a character too many shows as a byte too few. It does
 * read the URL alphabet and the low byte of wide characters, which are therefore looked for first. */
export const decodeBase64 = (text: string): Buffer | null =>
  Buffer.byteLength(text, 'utf8') === text.length ? decodeNarrowBase64(text) : null;
