import { bodyTurnBounds, createJsonScanner, jsonBreachError, type JsonBounds, type TextSpan } from '@tollgate/contract';
import type { BodyTurn } from './body-turns.ts';
import { decodeLongText } from './long-text.ts';
import { parseJson, parseScanned } from './parse-json.ts';
import { placeTexts } from './place-texts.ts';

/** What the scan of JSON found in it. */
export interface Scanned {
  readonly hasOddNumber: boolean;
  readonly longTexts: readonly TextSpan[];
}

export interface InTurns {
  readonly turn: BodyTurn;
  /** Text that no client can know, for the placeholders. */
  readonly secret: () => string;
}

const { largeBytesMin } = bodyTurnBounds;

/** The JSON around the long texts, with a placeholder for each of them. */
const around = (bytes: Buffer, spans: readonly TextSpan[], placeholderOf: (index: number) => string): Buffer => {
  let at = 0;
  const pieces = spans.flatMap(({ from, to }, index) => {
    const before = bytes.subarray(at, from);
    at = to;
    return [before, Buffer.from(placeholderOf(index))];
  });
  return Buffer.concat([...pieces, bytes.subarray(at)]);
};

/** Parses JSON whose bytes were scanned. Of a large one each step, and each piece of a long text, has a turn of its own. */
export const parseScannedInTurns = async (
  bytes: Buffer,
  scanned: Scanned,
  { turn, secret }: InTurns,
): Promise<unknown> => {
  if (bytes.length <= largeBytesMin) return parseScanned(bytes, scanned);
  const { longTexts } = scanned;
  const texts = new Map<string, string>();
  const mark = longTexts.length === 0 ? '' : secret();
  const placeholderOf = (index: number): string => `${mark}#${index}`;
  for (const [index, span] of longTexts.entries())
    texts.set(placeholderOf(index), await decodeLongText(bytes, span, turn));
  await turn();
  const json = longTexts.length === 0 ? bytes : around(bytes, longTexts, placeholderOf);
  const value = placeTexts(parseScanned(json, scanned), texts);
  // What checks the value begins with a turn of its own.
  await turn();
  return value;
};

/** Scans JSON that is there whole, and parses it where it is within its bounds, in turns where it is large. */
export const parseJsonInTurns = async (bytes: Uint8Array, bounds: JsonBounds, inTurns: InTurns): Promise<unknown> => {
  if (bytes.length <= largeBytesMin) return parseJson(bytes, bounds);
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const scanner = createJsonScanner([], bounds);
  for (let at = 0; at < whole.length; at += largeBytesMin) {
    await inTurns.turn();
    const { breach } = scanner.scan(whole.subarray(at, at + largeBytesMin), 0);
    if (breach !== null) throw jsonBreachError(breach, bounds);
  }
  const scanned = { hasOddNumber: scanner.hasOddNumber(), longTexts: scanner.longTexts() };
  return parseScannedInTurns(whole, scanned, inTurns);
};
