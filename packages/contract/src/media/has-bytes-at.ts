/** Whether bytes stand at a place. Compared here, byte by byte: so few cost less than a call of the runtime. */
export const hasBytesAt = (bytes: Uint8Array, at: number, wanted: Uint8Array): boolean => {
  if (bytes.length - at < wanted.length) return false;
  for (let index = 0; index < wanted.length; index += 1) if (bytes[at + index] !== wanted[index]) return false;
  return true;
};
