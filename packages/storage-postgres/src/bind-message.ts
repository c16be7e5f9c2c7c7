const int16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
};

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

const textFormat = 0;
const binaryFormat = 1;

const valuePieces = (value: string | Buffer | null): readonly Buffer[] => {
  if (value === null) return [int32(-1)];
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  return [int32(bytes.length), bytes];
};

/**
 * The message that binds values to a statement, in pieces of which the bytes given are some themselves: the client's own message
 * would copy them several times, which for long bytes costs more memory than they have. Results come as text.
 */
export const bindMessage = (statement: string, values: readonly (string | Buffer | null)[]): readonly Buffer[] => {
  const formats = values.map((value) => (Buffer.isBuffer(value) ? binaryFormat : textFormat));
  const pieces = [
    Buffer.from(`\0${statement}\0`),
    int16(values.length),
    ...formats.map(int16),
    int16(values.length),
    ...values.flatMap(valuePieces),
    int16(1),
    int16(textFormat),
  ];
  const length = pieces.reduce((sum, piece) => sum + piece.length, 4);
  return [Buffer.from('B'), int32(length), ...pieces];
};
