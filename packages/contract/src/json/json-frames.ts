import { isAtPlace, type Frame, type PlacePattern } from './place-pattern.ts';

/** A key of more bytes is at no place; only so many are kept. */
const keyBytesMax = 64;

/** The open objects and lists. What is deeper than every place is only counted. */
export const createJsonFrames = (places: readonly PlacePattern[]) => {
  const depthMax = Math.max(0, ...places.map((place) => place.length));
  const frames: Frame[] = [];
  let deeper = 0;
  const top = (): Frame | undefined => (deeper > 0 ? undefined : frames.at(-1));
  return {
    open: (kind: Frame['kind']): void => {
      if (deeper > 0 || frames.length === depthMax) deeper += 1;
      else frames.push(kind === 'list' ? { kind } : { kind, key: '' });
    },
    close: (): void => {
      if (deeper > 0) deeper -= 1;
      else frames.pop();
    },
    setKey: (key: string): void => {
      const frame = top();
      if (frame?.kind === 'object') frame.key = key;
    },
    isAtAnyPlace: (): boolean => deeper === 0 && places.some((place) => isAtPlace(place, frames)),
  };
};

export type JsonFrames = ReturnType<typeof createJsonFrames>;

const hashStart = 0x811c9dc5;
const hashPrime = 0x01000193;

/** The bytes of a key so far, and their hash (FNV-1a). The bytes are kept only for a scan that looks for places. */
export const createKeyText = (isKept: boolean) => {
  const bytes = Buffer.alloc(isKept ? keyBytesMax + 1 : 0);
  let length = 0;
  let hash = hashStart;
  return {
    clear: (): void => {
      length = 0;
      hash = hashStart;
    },
    /** Takes the bytes of a chunk from a place up to another. */
    add: (chunk: Uint8Array, from: number, to: number): void => {
      for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (chunk[at] ?? 0), hashPrime);
      if (!isKept) return;
      const taken = chunk.subarray(from, Math.min(to, from + bytes.length - length));
      bytes.set(taken, length);
      length += taken.length;
    },
    hash: (): number => hash,
    text: (): string => (length > keyBytesMax ? '' : bytes.toString('latin1', 0, length)),
  };
};
