/** A text that is put together from many small pieces while others wait. `wholeText` reads it; what is in it is its own affair. */
export interface GrowingText {
  bytes: Buffer;
  used: number;
  encoding: 'latin1' | 'utf16le';
}

const bytesMin = 512;
const bytesPerWideCharacter = 2;
/** The last character of Latin-1, where one takes one byte. */
const narrowMax = 0xff;
const nothing = Buffer.alloc(0);

/**
 * Keeps the pieces one behind the other in memory of its own. Strings that are added up keep every piece, and several objects
 * a piece, until the whole is read; with a thousand answers under way that is what the garbage collector mostly moves about.
 */
export const createGrowingText = (): GrowingText => ({ bytes: nothing, used: 0, encoding: 'latin1' });

/** Surrogates that came apart stay as they are, for the next piece may bring the other half. */
export const appendText = (text: GrowingText, piece: string): void => {
  if (text.encoding === 'latin1' && isWide(piece)) widen(text);
  const needed = text.used + piece.length * (text.encoding === 'latin1' ? 1 : bytesPerWideCharacter);
  if (needed > text.bytes.length) text.bytes = grown(text, needed);
  text.used += text.bytes.write(piece, text.used, text.encoding);
};

/** The whole, character for character as it was appended. */
export const wholeText = ({ bytes, used, encoding }: GrowingText): string => bytes.toString(encoding, 0, used);

const isWide = (piece: string): boolean => {
  for (let at = 0; at < piece.length; at += 1) if (piece.charCodeAt(at) > narrowMax) return true;
  return false;
};

const widen = (text: GrowingText): void => {
  const narrow = wholeText(text);
  text.encoding = 'utf16le';
  text.bytes = Buffer.allocUnsafeSlow(Math.max(text.bytes.length * bytesPerWideCharacter, bytesMin));
  text.used = text.bytes.write(narrow, 0, text.encoding);
};

const grown = ({ bytes, used }: GrowingText, needed: number): Buffer => {
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, bytes.length * 2, bytesMin));
  bytes.copy(larger, 0, 0, used);
  return larger;
};
