/** A text that is put together from many small pieces while others wait. */
export interface GrowingText {
  append(piece: string): void;
  /** The whole, character for character as it was appended. */
  whole(): string;
}

const bytesMin = 512;
const bytesPerWideCharacter = 2;
/** Outside of Latin-1, where a character takes one byte. */
const isWide = /[\u0100-\uFFFF]/;

const grown = (bytes: Buffer, used: number, needed: number): Buffer => {
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, bytes.length * 2, bytesMin));
  bytes.copy(larger, 0, 0, used);
  return larger;
};

/**
 * Writes the pieces one behind the other into memory of its own. Strings that are added up keep every piece, and several objects
 * a piece, until the whole is read; with a thousand answers under way that is what the garbage collector mostly moves about.
 * Surrogates that came apart stay as they are, for the next piece may bring the other half.
 */
export const createGrowingText = (): GrowingText => {
  let bytes: Buffer = Buffer.alloc(0);
  let used = 0;
  let encoding: 'latin1' | 'utf16le' = 'latin1';
  const widen = (): void => {
    const narrow = bytes.toString(encoding, 0, used);
    encoding = 'utf16le';
    bytes = grown(Buffer.alloc(0), 0, bytes.length * bytesPerWideCharacter);
    used = bytes.write(narrow, 0, encoding);
  };
  return {
    append: (piece) => {
      if (encoding === 'latin1' && isWide.test(piece)) widen();
      const needed = used + piece.length * (encoding === 'latin1' ? 1 : bytesPerWideCharacter);
      if (needed > bytes.length) bytes = grown(bytes, used, needed);
      used += bytes.write(piece, used, encoding);
    },
    whole: () => bytes.toString(encoding, 0, used),
  };
};
