import { isUtf8 } from 'node:buffer';
import { GatewayError, type TextSpan } from '@tollgate/contract';
import type { BodyTurn } from './body-turns.ts';

/** Bytes of a long text that are decoded at once. */
const pieceBytesMax = 262_144;
/** `\u` and four digits. */
const escapeBytesMax = 6;
const backslash = 0x5c;
const letterU = 0x75;

/** The end of a piece that would end inside a character of several bytes is moved before it. */
const beforeCharacter = (bytes: Buffer, end: number): number => {
  let at = end;
  while (((bytes[at] ?? 0) & 0xc0) === 0x80 && end - at < 3) at -= 1;
  return at;
};

/** The end of a piece that would end inside an escape is moved before it. `from` is in none. */
const beforeEscape = (bytes: Buffer, from: number, end: number): number => {
  const slash = bytes.subarray(Math.max(from, end - escapeBytesMax + 1), end).lastIndexOf(backslash);
  if (slash === -1) return end;
  const at = Math.max(from, end - escapeBytesMax + 1) + slash;
  let first = at;
  while (first > from && bytes[first - 1] === backslash) first -= 1;
  // Of an even number each second one is what the one before it escapes.
  if ((at - first + 1) % 2 === 0) return end;
  const length = bytes[at + 1] === letterU ? escapeBytesMax : 2;
  return at + length > end ? at : end;
};

const broken = (cause?: unknown): GatewayError =>
  new GatewayError('invalid_json', {
    detail: 'A text in the body holds bytes or escapes that are no JSON; accepted is one JSON object in UTF-8.',
    cause,
  });

const decodePiece = (raw: Buffer): string => {
  if (!isUtf8(raw)) throw broken();
  try {
    return String(JSON.parse(`"${raw.toString('utf8')}"`));
  } catch (cause) {
    throw broken(cause);
  }
};

/** Decodes the inside of a JSON text piece by piece, each in a turn of its own. Throws what a parser refuses. */
export const decodeLongText = async (bytes: Buffer, { from, to }: TextSpan, turn: BodyTurn): Promise<string> => {
  // Put together where it is read first: of what is refused nothing more is copied.
  let text = '';
  for (let at = from; at < to;) {
    const wanted = at + pieceBytesMax;
    const end = wanted >= to ? to : beforeEscape(bytes, at, beforeCharacter(bytes, wanted));
    await turn();
    text += decodePiece(bytes.subarray(at, end));
    at = end;
  }
  return text;
};
