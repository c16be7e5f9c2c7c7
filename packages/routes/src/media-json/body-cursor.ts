/** A body that is read in chunks and examined byte by byte. */
export interface BodyCursor {
  /** The bytes at hand; empty before the first chunk and after the last. */
  readonly chunk: () => Buffer;
  /** The place in the chunk up to which everything has been dealt with. */
  readonly at: () => number;
  readonly moveTo: (at: number) => void;
  /** Takes the next chunk that holds anything, once all of this one has been dealt with; false where the body has ended. */
  readonly advance: () => Promise<boolean>;
}

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export const createBodyCursor = (chunks: AsyncIterator<Uint8Array>): BodyCursor => {
  let chunk: Buffer = Buffer.alloc(0);
  let at = 0;
  return {
    chunk: () => chunk,
    at: () => at,
    moveTo: (place) => {
      at = place;
    },
    advance: async () => {
      do {
        const next = await chunks.next();
        at = 0;
        chunk = next.done === true ? Buffer.alloc(0) : asBuffer(next.value);
        if (next.done === true) return false;
      } while (chunk.length === 0);
      return true;
    },
  };
};
