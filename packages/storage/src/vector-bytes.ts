const size = Float32Array.BYTES_PER_ELEMENT;

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Little-endian 32-bit floats, whatever machine this runs on, so that a database can be carried to another. */
export const bytesOfVector = (vector: Float32Array): Buffer => {
  const bytes = Buffer.allocUnsafe(vector.byteLength);
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * size);
  return bytes;
};

/** The vector of `bytesOfVector`, without a copy where that is possible. */
export const vectorOfBytes = (bytes: Uint8Array): Float32Array => {
  const length = Math.floor(bytes.byteLength / size);
  if (isLittleEndian && bytes.byteOffset % size === 0) return new Float32Array(bytes.buffer, bytes.byteOffset, length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length }, (_, at) => view.getFloat32(at * size, true));
};
