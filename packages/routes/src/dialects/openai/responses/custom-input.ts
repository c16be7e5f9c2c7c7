import { isRecord } from '@tollgate/contract';

/** The one argument of a tool that takes free text. */
export const customArgument = 'input';

/** A call of such a tool, as the function that the model sees. */
export const customArguments = (input: string): string => JSON.stringify({ [customArgument]: input });

/**
 * How far the text in the arguments of such a call has been read, which come in pieces. `before` it began, `within` it, `after` its
 * end; `other` arguments begin with something else, and are read when they are whole.
 */
export interface InputScan {
  stage: 'before' | 'within' | 'after' | 'other';
  /** What came and cannot be read yet: a part of the opening, or of an escape. */
  held: string;
  /** The first half of a character of two UTF-16 units, which is not given without the second. */
  half: string;
}

export const createInputScan = (): InputScan => ({ stage: 'before', held: '', half: '' });

/** What the arguments begin with, with the white space that JSON has between its signs. */
const opening = new RegExp(['^', String.raw`\{`, `"${customArgument}"`, ':', '"'].join(String.raw`[ \t\r\n]{0,16}`));
/** Characters of the longest opening, and some more. */
const openingCharsMax = 96;

const escapes: ReadonlyMap<string, string> = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['"', '"'],
  ['/', '/'],
  ['\\', '\\'],
]);

/** An escape at a place, and where it ends; one that JSON does not have stands for itself. Null where more of it is to come. */
const escapeAt = (text: string, at: number): { readonly means: string; readonly end: number } | null => {
  const letter = text[at + 1];
  if (letter === undefined) return null;
  if (letter !== 'u') return { means: escapes.get(letter) ?? `\\${letter}`, end: at + 2 };
  const digits = /^[\da-f]{0,4}/i.exec(text.slice(at + 2, at + 6))?.[0] ?? '';
  if (digits.length === 4) return { means: String.fromCharCode(Number.parseInt(digits, 16)), end: at + 6 };
  return at + 2 + digits.length === text.length ? null : { means: String.raw`\u`, end: at + 2 };
};

/** Reads on within the text, up to its end or as far as it came. */
const readWithin = (scan: InputScan, text: string): string => {
  const special = /["\\]/g;
  let read = '';
  let at = 0;
  for (let next = special.exec(text); next !== null; next = special.exec(text)) {
    read += text.slice(at, next.index);
    if (next[0] === '"') {
      scan.stage = 'after';
      return read;
    }
    const escape = escapeAt(text, next.index);
    if (escape === null) {
      scan.held = text.slice(next.index);
      return read;
    }
    read += escape.means;
    at = escape.end;
    special.lastIndex = at;
  }
  return read + text.slice(at);
};

const endsInHalf = /[\ud800-\udbff]$/;

/** Takes more of the arguments, and returns the text in them as far as it is new. */
export const readInputPiece = (scan: InputScan, piece: string): string => {
  if (scan.stage === 'after' || scan.stage === 'other') return '';
  let text = scan.held + piece;
  scan.held = '';
  if (scan.stage === 'before') {
    const [begun] = opening.exec(text) ?? [];
    if (begun === undefined) {
      if (text.length > openingCharsMax) scan.stage = 'other';
      else scan.held = text;
      return '';
    }
    scan.stage = 'within';
    text = text.slice(begun.length);
  }
  const read = scan.half + readWithin(scan, text);
  scan.half = scan.stage === 'within' && endsInHalf.test(read) ? read.slice(-1) : '';
  return scan.half === '' ? read : read.slice(0, -1);
};

const memberOf = (text: string): string | null => {
  try {
    const value: unknown = JSON.parse(text);
    const input = isRecord(value) ? value[customArgument] : undefined;
    return typeof input === 'string' ? input : null;
  } catch {
    return null;
  }
};

/**
 * The text that a model gave to a tool that takes free text. Arguments that begin with that text are read as they are in pieces, so
 * that the pieces are always a beginning of it: also where the arguments were cut, or something follows that is no JSON.
 */
export const customInput = (text: string): string => {
  const scan = createInputScan();
  const read = readInputPiece(scan, text);
  if (scan.stage === 'within' || scan.stage === 'after') return read + scan.half;
  return memberOf(text) ?? text;
};
