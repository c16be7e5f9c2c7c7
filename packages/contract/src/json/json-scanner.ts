import { createJsonFrames, createKeyText, type JsonFrames } from './json-frames.ts';
import { endOfText, endsEscaping } from './json-text.ts';
import { createNumberWatch } from './number-watch.ts';
import type { PlacePattern } from './place-pattern.ts';

/** How much JSON may hold, whatever is in it. */
export interface JsonBounds {
  /** Values and field names, counted as the signs `{`, `[`, `,` and `:` outside of texts. */
  readonly nodesMax: number;
  /** Field names that differ: each costs the parser and every check behind it as much as a dozen values. */
  readonly namesMax: number;
  /** Objects and lists inside one another. */
  readonly depthMax: number;
}

/** A text inside JSON, by the bytes between its quotes, counted from the first byte that was scanned. */
export interface TextSpan {
  readonly from: number;
  readonly to: number;
}

/** A text of more bytes that is no field name is noted, so that it can be decoded in pieces. */
const longTextBytesMin = 65_536;

/** Which bound the text is beyond. */
export type JsonBreach = 'nodes' | 'names' | 'depth';

/**
 * Where the scan of a chunk stopped: at its end, right behind the quote with which a text at one of the places begins, or where
 * a bound is exceeded.
 */
export interface ScanStop {
  readonly at: number;
  readonly found: boolean;
  readonly breach: JsonBreach | null;
}

/**
 * Goes through JSON text once, byte by byte, before it is parsed: counts what the parser would make of it, and finds the texts at
 * certain places, whatever chunks the text comes in. It does not check the JSON: of what is no JSON it finds anything or nothing,
 * and the parser refuses it afterwards.
 */
export interface JsonScanner {
  /** Goes on from a place in a chunk. After a breach there is nothing more to scan. */
  scan(chunk: Uint8Array, from: number): ScanStop;
  /** The text that was found has been read in part: what comes next is gone through as its rest. */
  resumeText(): void;
  /** Values and names so far. */
  nodes(): number;
  /** Whether a number may be there that JSON cannot carry on: one below zero, with an exponent, or very long. */
  hasOddNumber(): boolean;
  /** The texts of more than `longTextBytesMin` bytes so far, in order. */
  longTexts(): readonly TextSpan[];
}

const quote = 0x22;

/** The next place that holds neither a blank nor a digit, which mean nothing here. */
const skipPlain = (chunk: Uint8Array, from: number): number => {
  let at = from;
  while (at < chunk.length) {
    const byte = chunk[at] ?? 0;
    if (byte > 0x20 && !(byte >= 0x2e && byte <= 0x39)) return at;
    at += 1;
  }
  return at;
};

const asBuffer = (chunk: Uint8Array): Buffer =>
  Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);

/** The text that is open, if one is, across chunks. */
const createOpenText = (frames: JsonFrames, isPlaced: boolean) => {
  const key = createKeyText(isPlaced);
  /** Hashes of the names so far: two names of one hash count as one. */
  const names = new Set<number>();
  const long: TextSpan[] = [];
  let inside: 'nothing' | 'key' | 'text' = 'nothing';
  let escaped = false;
  /** Where the text began, counted from the first byte of all. */
  let begunAt = 0;
  /** The text ended before its quote, which stands at a place counted in the same way. */
  const end = (quoteAt: number): void => {
    escaped = false;
    if (inside === 'key') {
      if (isPlaced) frames.setKey(key.text());
      names.add(key.hash());
    } else if (quoteAt - begunAt > longTextBytesMin) long.push({ from: begunAt, to: quoteAt });
    inside = 'nothing';
  };
  return {
    isOpen: (): boolean => inside !== 'nothing',
    /** A quote was read before the place `at`. Whether a text at one of the places begins, which is left to the caller. */
    begin: (isKey: boolean, at: number): boolean => {
      escaped = false;
      begunAt = at;
      inside = isKey ? 'key' : 'text';
      if (isKey) {
        key.clear();
        return false;
      }
      if (!frames.isAtAnyPlace()) return false;
      inside = 'nothing';
      return true;
    },
    resume: (at: number): void => {
      inside = 'text';
      escaped = false;
      begunAt = at;
    },
    /** Goes to the end of the text, or of the chunk, of which the first byte is the one at `base`. */
    scan: (chunk: Buffer, start: number, base: number): number => {
      const from = escaped ? start + 1 : start;
      const at = endOfText(chunk, from);
      if (inside === 'key') key.add(chunk, start, at === -1 ? chunk.length : at - 1);
      if (at === -1) {
        escaped = endsEscaping(chunk, from);
        return chunk.length;
      }
      end(base + at - 1);
      return at;
    },
    names: (): number => names.size,
    longTexts: (): readonly TextSpan[] => long,
  };
};

/** Counts the signs outside of texts. */
const createTally = (frames: JsonFrames) => {
  /** Of each open object and list, whether it is an object. */
  const open: boolean[] = [];
  let nodes = 0;
  let expectsKey = false;
  return {
    /** Whether the byte is a sign, which is then counted. */
    takeSign: (byte: number): boolean => {
      switch (byte) {
        case 0x7b:
        case 0x5b:
          nodes += 1;
          expectsKey = byte === 0x7b;
          open.push(expectsKey);
          frames.open(expectsKey ? 'object' : 'list');
          return true;
        case 0x7d:
        case 0x5d:
          open.pop();
          frames.close();
          return true;
        case 0x3a:
        case 0x2c:
          nodes += 1;
          expectsKey = byte === 0x2c && open.at(-1) === true;
          return true;
        default:
          return false;
      }
    },
    /** Whether a text that comes now is a field name. */
    expectsKey: (): boolean => expectsKey,
    nodes: (): number => nodes,
    depth: (): number => open.length,
  };
};

export const createJsonScanner = (places: readonly PlacePattern[], bounds: JsonBounds): JsonScanner => {
  const frames = createJsonFrames(places);
  const text = createOpenText(frames, places.length > 0);
  const tally = createTally(frames);
  const numbers = createNumberWatch();
  /** Bytes that were gone through. */
  let passed = 0;

  const breach = (): JsonBreach | null => {
    if (tally.nodes() > bounds.nodesMax) return 'nodes';
    if (text.names() > bounds.namesMax) return 'names';
    return tally.depth() > bounds.depthMax ? 'depth' : null;
  };

  /** Deals with a byte that stands in no text, at the place before `at`. */
  const takeByte = (chunk: Buffer, byte: number, at: number): JsonBreach | null => {
    if (!tally.takeSign(byte)) {
      numbers.take(byte, chunk[at - 2]);
      return null;
    }
    numbers.endRun(at - 1);
    numbers.beginRun(at);
    return breach();
  };

  return {
    scan: (bytes, from) => {
      const chunk = asBuffer(bytes);
      const base = passed - from;
      let at = from;
      for (;;) {
        if (text.isOpen()) {
          at = text.scan(chunk, at, base);
          numbers.beginRun(at);
        }
        at = skipPlain(chunk, at);
        if (at >= chunk.length) break;
        const byte = chunk[at] ?? 0;
        at += 1;
        if (byte === quote) {
          if (!text.begin(tally.expectsKey(), base + at)) continue;
          passed = base + at;
          return { at, found: true, breach: null };
        }
        const found = takeByte(chunk, byte, at);
        if (found !== null) return { at, found: false, breach: found };
      }
      numbers.endRun(chunk.length);
      numbers.endChunk(chunk.length);
      passed = base + chunk.length;
      return { at: chunk.length, found: false, breach: null };
    },
    resumeText: () => text.resume(passed),
    nodes: tally.nodes,
    hasOddNumber: numbers.isOdd,
    longTexts: text.longTexts,
  };
};
