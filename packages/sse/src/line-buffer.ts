const initialBytes = 256;
// A byte-order mark inside the stream is text; only the decoder knows whether it stands at the very start.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The text of whole lines: one decoder, which keeps nothing between them, serves all streams. */
export const decodeText = (bytes: Uint8Array): string => decoder.decode(bytes);

/** Gathers the bytes of one line that arrives in pieces. */
export interface LineBuffer {
  /** Copies the bytes, so that the caller may use its chunk again. */
  append(bytes: Uint8Array): void;
  /** The text gathered so far with these bytes behind it; the buffer is empty afterwards. */
  takeText(last: Uint8Array): string;
}

/** Grows by doubling, so that a line fed one byte at a time costs linear time and no view keeps a whole chunk alive. */
export const createLineBuffer = (): LineBuffer => {
  let buffer = new Uint8Array(0);
  let length = 0;
  const append = (bytes: Uint8Array): void => {
    const needed = length + bytes.length;
    if (needed > buffer.length) {
      const grown = new Uint8Array(Math.max(needed, buffer.length * 2, initialBytes));
      grown.set(buffer.subarray(0, length));
      buffer = grown;
    }
    buffer.set(bytes, length);
    length = needed;
  };
  return {
    append,
    takeText: (last) => {
      // The usual case: the whole line is in one chunk, and nothing is copied.
      if (length === 0) return decodeText(last);
      append(last);
      const line = decodeText(buffer.subarray(0, length));
      length = 0;
      return line;
    },
  };
};
