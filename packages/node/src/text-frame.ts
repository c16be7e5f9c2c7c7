/** The longest payload that is copied into a frame of its own. */
export const shortFrameBytesMax = 16_384;

const finalText = 0x81;
/** A longer payload has its length in two bytes of its own. */
const headLengthMax = 125;
const wordLength = 126;

/** A whole text frame as servers send them, without a mask (RFC 6455, 5.2), around at most 65,535 bytes. */
export const textFrame = (utf8: Uint8Array): Buffer => {
  const { length } = utf8;
  const headBytes = length > headLengthMax ? 4 : 2;
  const frame = Buffer.allocUnsafe(headBytes + length);
  frame[0] = finalText;
  frame[1] = length > headLengthMax ? wordLength : length;
  if (length > headLengthMax) frame.writeUInt16BE(length, 2);
  frame.set(utf8, headBytes);
  return frame;
};
