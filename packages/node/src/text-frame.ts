/** The longest payload that is copied into a frame of its own. */
export const shortFrameBytesMax = 16_384;

const finalText = 0x81;
/** A longer payload has its length in two bytes of its own. */
const headLengthMax = 125;
const wordLength = 126;

/** The frame around a payload that lies behind its head already, as one does that came in a frame without a mask; null where none is. */
const frameAround = (utf8: Uint8Array, headBytes: number): Buffer | null => {
  const { buffer, byteOffset, length } = utf8;
  if (byteOffset < headBytes) return null;
  const frame = Buffer.from(buffer, byteOffset - headBytes, headBytes + length);
  if (frame[0] !== finalText) return null;
  if (length <= headLengthMax) return frame[1] === length ? frame : null;
  return frame[1] === wordLength && frame[2] === length >> 8 && frame[3] === (length & 0xff) ? frame : null;
};

/** A whole text frame as servers send them, without a mask (RFC 6455, 5.2), around at most 65,535 bytes. */
export const textFrame = (utf8: Uint8Array): Buffer => {
  const { length } = utf8;
  const headBytes = length > headLengthMax ? 4 : 2;
  const around = frameAround(utf8, headBytes);
  if (around !== null) return around;
  const frame = Buffer.allocUnsafe(headBytes + length);
  frame[0] = finalText;
  frame[1] = length > headLengthMax ? wordLength : length;
  if (length > headLengthMax) frame.writeUInt16BE(length, 2);
  frame.set(utf8, headBytes);
  return frame;
};
