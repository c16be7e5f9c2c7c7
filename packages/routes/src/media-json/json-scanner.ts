import { isAtPlace, type Frame, type PlacePattern } from './place-pattern.ts';

/** Where the scan of a chunk stopped: at its end, or right behind the quote with which a text at one of the places begins. */
export interface ScanStop {
  readonly at: number;
  readonly found: boolean;
}

/**
 * Goes through JSON text byte by byte and finds the texts at certain places, whatever chunks the text comes in. It does not
 * check the JSON: of what is no JSON it finds anything or nothing, and the parser refuses it afterwards.
 */
export interface JsonScanner {
  /** Goes on from a place in a chunk. */
  scan(chunk: Uint8Array, from: number): ScanStop;
  /** The text that was found has been read in part: what comes next is gone through as its rest. */
  resumeText(): void;
}

const quote = 0x22;
const backslash = 0x5c;
/** A key of more bytes is at no place; only so many are kept. */
const keyBytesMax = 64;

/** The open objects and lists. What is deeper than every place is only counted. */
const createFrames = (places: readonly PlacePattern[]) => {
  const depthMax = Math.max(0, ...places.map((place) => place.length));
  const frames: Frame[] = [];
  let deeper = 0;
  const top = (): Frame | undefined => (deeper > 0 ? undefined : frames.at(-1));
  return {
    open: (kind: Frame['kind']): void => {
      if (deeper > 0 || frames.length === depthMax) deeper += 1;
      else frames.push(kind === 'list' ? { kind } : { kind, key: '', expectsKey: true });
    },
    close: (): void => {
      if (deeper > 0) deeper -= 1;
      else frames.pop();
    },
    expectKey: (expectsKey: boolean): void => {
      const frame = top();
      if (frame?.kind === 'object') frame.expectsKey = expectsKey;
    },
    expectsKey: (): boolean => {
      const frame = top();
      return frame?.kind === 'object' && frame.expectsKey;
    },
    setKey: (key: string): void => {
      const frame = top();
      if (frame?.kind === 'object') frame.key = key;
    },
    isAtAnyPlace: (): boolean => deeper === 0 && places.some((place) => isAtPlace(place, frames)),
  };
};

/** The bytes of a key so far; a text that is no key is not kept. */
const createKeyText = () => {
  const bytes = Buffer.alloc(keyBytesMax + 1);
  let length = 0;
  return {
    clear: (): void => {
      length = 0;
    },
    add: (byte: number): void => {
      if (length <= keyBytesMax) bytes[length++] = byte;
    },
    text: (): string => (length > keyBytesMax ? '' : bytes.toString('latin1', 0, length)),
  };
};

export const createJsonScanner = (places: readonly PlacePattern[]): JsonScanner => {
  const frames = createFrames(places);
  const key = createKeyText();
  let inside: 'nothing' | 'key' | 'text' = 'nothing';
  let escaped = false;
  /** Goes to the end of the text that is open, or of the chunk. */
  const scanText = (chunk: Uint8Array, from: number): number => {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (escaped) escaped = false;
      else if (byte === quote) {
        if (inside === 'key') frames.setKey(key.text());
        inside = 'nothing';
        return at + 1;
      } else if (byte === backslash) escaped = true;
      if (inside === 'key') key.add(byte);
    }
    return chunk.length;
  };
  /** Answers whether a text at one of the places begins. */
  const beginText = (): boolean => {
    escaped = false;
    key.clear();
    inside = frames.expectsKey() ? 'key' : 'text';
    if (inside === 'key' || !frames.isAtAnyPlace()) return false;
    inside = 'nothing';
    return true;
  };
  const takeSign = (byte: number): void => {
    if (byte === 0x7b) frames.open('object');
    else if (byte === 0x5b) frames.open('list');
    else if (byte === 0x7d || byte === 0x5d) frames.close();
    else if (byte === 0x3a) frames.expectKey(false);
    else if (byte === 0x2c) frames.expectKey(true);
  };
  return {
    scan: (chunk, from) => {
      let at = from;
      while (at < chunk.length) {
        if (inside !== 'nothing') {
          at = scanText(chunk, at);
          continue;
        }
        const byte = chunk[at] ?? 0;
        at += 1;
        if (byte !== quote) takeSign(byte);
        else if (beginText()) return { at, found: true };
      }
      return { at, found: false };
    },
    resumeText: () => {
      inside = 'text';
      escaped = false;
    },
  };
};
