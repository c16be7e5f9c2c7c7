/** What of some content a client asks for, counted in bytes from 0, `toByte` not included. */
export type AskedRange =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly fromByte: number; readonly toByte: number }
  | { readonly kind: 'unsatisfiable' };

const whole: AskedRange = { kind: 'whole' };

/** Longer numbers are beyond every size, and beyond what a number can hold exactly. */
const oneRange = /^bytes=[\t ]*(\d{0,15})-(\d{0,15})[\t ]*$/i;

const part = (fromByte: number, toByte: number, sizeBytes: number): AskedRange =>
  fromByte < Math.min(toByte, sizeBytes)
    ? { kind: 'part', fromByte, toByte: Math.min(toByte, sizeBytes) }
    : { kind: 'unsatisfiable' };

// resources:content:headers
/**
 * Reads a Range header. What is no range of bytes, and several ranges at once, is answered with the whole, as HTTP allows; a range
 * that begins behind the end cannot be met.
 */
export const parseRange = (header: string | null, sizeBytes: number): AskedRange => {
  const [, first = '', last = ''] = oneRange.exec(header ?? '') ?? [];
  if (first === '' && last === '') return whole;
  if (first === '') return part(Math.max(0, sizeBytes - Number(last)), Number(last) === 0 ? 0 : sizeBytes, sizeBytes);
  if (last === '') return part(Number(first), sizeBytes, sizeBytes);
  return Number(last) < Number(first) ? whole : part(Number(first), Number(last) + 1, sizeBytes);
};
