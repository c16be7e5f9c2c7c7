/** Characters of base64 from which the kind of a file can be told: 64 give the first 48 bytes. */
const headCharsMax = 64;

/** The first bytes of base64 text, for a look at the magic bytes before the whole is decoded. */
export const decodeHead = (text: string): Buffer => Buffer.from(text.slice(0, headCharsMax), 'base64');

/** The last four characters re-encoded must be themselves: refuses padding whose unused bits are set. */
const isCanonicalTail = (text: string): boolean => {
  const tail = text.slice(-4);
  return Buffer.from(tail, 'base64').toString('base64') === tail;
};

/** Decodes padded base64 of the standard alphabet, or answers null for anything else. Never runs a pattern over the
 * text: the runtime's decoder skips what it does not know, so a character too many shows as a byte too few. It does
 * read the URL alphabet and the low byte of wide characters, which are therefore looked for first. */
export const decodeBase64 = (text: string): Buffer | null => {
  if (text.length === 0 || text.length % 4 !== 0) return null;
  if (Buffer.byteLength(text, 'utf8') !== text.length || text.includes('-') || text.includes('_')) return null;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === (text.length / 4) * 3 - padding && isCanonicalTail(text) ? bytes : null;
};
