/** Writes bits, the highest first, as video streams hold them. */
export interface BitWriter {
  /** The lowest `count` bits of a value, at most 32 of them. */
  bits(value: number, count: number): void;
  /** A number of no fixed length, at least 0 (Exp-Golomb). */
  unsigned(value: number): void;
  signed(value: number): void;
  /** Zeros up to the next whole byte. */
  align(): void;
  /** Whole bytes; the writer must stand at a whole byte. */
  bytes(content: Uint8Array): void;
  /** A one, zeros up to the next whole byte, and everything that was written. */
  end(): Buffer;
}

const firstBytes = 4_096;

export const createBitWriter = (): BitWriter => {
  let buffer = Buffer.alloc(firstBytes);
  let length = 0;
  let pending = 0;
  let pendingBits = 0;
  const room = (bytes: number): void => {
    if (length + bytes <= buffer.length) return;
    buffer = Buffer.concat([buffer, Buffer.alloc(Math.max(buffer.length, bytes))]);
  };
  const bit = (value: number): void => {
    pending = (pending << 1) | value;
    pendingBits += 1;
    if (pendingBits < 8) return;
    room(1);
    buffer[length] = pending;
    length += 1;
    pending = 0;
    pendingBits = 0;
  };
  const bits = (value: number, count: number): void => {
    for (let at = count - 1; at >= 0; at -= 1) bit((value >>> at) & 1);
  };
  const unsigned = (value: number): void => {
    const width = 32 - Math.clz32(value + 1);
    bits(0, width - 1);
    bits(value + 1, width);
  };
  const align = (): void => {
    if (pendingBits > 0) bits(0, 8 - pendingBits);
  };
  return {
    bits,
    unsigned,
    signed: (value) => unsigned(value > 0 ? 2 * value - 1 : -2 * value),
    align,
    bytes: (content) => {
      room(content.length);
      buffer.set(content, length);
      length += content.length;
    },
    end: () => {
      bit(1);
      align();
      return Buffer.from(buffer.subarray(0, length));
    },
  };
};
