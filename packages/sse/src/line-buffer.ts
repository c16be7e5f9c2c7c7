const initialBytes = 256;

/** Gathers the bytes of one line that arrives in pieces. */
export interface LineBuffer {
  /** Copies the bytes, so that the caller may use its chunk again. */
  append(bytes: Uint8Array): void;
  /** The text gathered so far; the buffer is empty afterwards. */
  takeText(): string;
}

/** Grows by doubling, so that a line fed one byte at a time costs linear time and no view keeps a whole chunk alive. */
export const createLineBuffer = (): LineBuffer => {
  // A byte-order mark inside the stream is text; only the decoder knows whether it stands at the very start.
  const text = new TextDecoder('utf-8', { ignoreBOM: true });
  let buffer = new Uint8Array(initialBytes);
  let length = 0;
  return {
    append: (bytes) => {
      const needed = length + bytes.length;
      if (needed > buffer.length) {
        const grown = new Uint8Array(Math.max(needed, buffer.length * 2));
        grown.set(buffer.subarray(0, length));
        buffer = grown;
      }
      buffer.set(bytes, length);
      length = needed;
    },
    takeText: () => {
      const line = text.decode(buffer.subarray(0, length));
      length = 0;
      return line;
    },
  };
};
