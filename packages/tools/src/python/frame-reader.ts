import type { FrameForm, FrameKind, FrameLimits } from '../python-child/child-setup.ts';

/** What a process has sent, each text in one piece. */
export interface Received {
  readonly output: Uint8Array;
  readonly errors: Uint8Array;
  /** Bodies of the frames of files, in the order they came. */
  readonly files: readonly Uint8Array[];
  /** The body of the last frame: of a program, or of the making of a snapshot. */
  readonly end: Uint8Array | undefined;
  readonly snapshot: Uint8Array | undefined;
  /** How much was checked to get there. */
  readonly bytesHandled: number;
  readonly framesHandled: number;
}

export interface FrameReader {
  /**
   * Takes the next bytes. The work is proportional to them, whatever they are. Throws at the first byte that is beyond a limit or
   * in no frame, looks at none after it, and must not be called again then.
   */
  readonly take: (chunk: Uint8Array) => void;
  readonly received: () => Received;
}

export const frameForm: FrameForm = {
  tokenBytes: 16,
  headBytes: 21,
  pathLengthBytes: 2,
  indexBytes: 4,
  endedFlag: 1,
  outputFittedFlag: 2,
  filesFittedFlag: 4,
};
const { tokenBytes, headBytes, pathLengthBytes, indexBytes } = frameForm;

const refuse = (reason: string): never => {
  throw new Error(`The process sent ${reason}`);
};

/** Where a body goes, and what to do once it is there as a whole. */
interface Place {
  readonly bytes: Uint8Array;
  readonly keep: () => void;
}

/** Bytes that come one after another into one piece, which is not made before the first. */
const createText = (bytesMax: number) => {
  let bytes: Uint8Array | undefined;
  let size = 0;
  const open = (length: number): Place => {
    if (length > bytesMax - size) return refuse('too much text');
    bytes ??= new Uint8Array(bytesMax);
    return { bytes: bytes.subarray(size, size + length), keep: () => void (size += length) };
  };
  return { open, text: (): Uint8Array => bytes?.subarray(0, size) ?? new Uint8Array(0) };
};

/** Gives each frame the place for its body, and refuses it where there is none: what a process may send is bounded by kind. */
const createPlaces = (limits: FrameLimits) => {
  const output = createText(limits.outputBytesMax);
  const errors = createText(limits.errorBytesMax);
  const files: Uint8Array[] = [];
  let filesLeft = limits.filesBytesMax + limits.filesMax * (pathLengthBytes + limits.pathBytesMax);
  let last: { readonly kind: FrameKind; readonly bytes: Uint8Array } | undefined;
  const end = (kind: 'd' | 's', length: number, bytesMax: number): Place => {
    if (length > bytesMax) return refuse('too long an end');
    const bytes = new Uint8Array(length);
    return { bytes, keep: () => void (last = { kind, bytes }) };
  };
  const file = (length: number): Place => {
    if (files.length >= limits.filesMax || length > filesLeft) return refuse('too many files');
    filesLeft -= length;
    const bytes = new Uint8Array(length);
    return { bytes, keep: () => void files.push(bytes) };
  };
  const open = (kind: FrameKind, length: number): Place => {
    if (last !== undefined) return refuse('something after its end');
    switch (kind) {
      case 'o':
        return output.open(length);
      case 'e':
        return errors.open(length);
      case 'f':
        return file(length);
      case 'd':
        return end(kind, length, 1 + limits.filesMax * indexBytes);
      case 's':
        return end(kind, length, limits.snapshotBytesMax);
    }
  };
  const bodyOf = (kind: FrameKind): Uint8Array | undefined => (last?.kind === kind ? last.bytes : undefined);
  const contents = () => ({
    output: output.text(),
    errors: errors.text(),
    files,
    end: bodyOf('d'),
    snapshot: bodyOf('s'),
  });
  return { open, contents };
};

const kinds: ReadonlySet<string> = new Set<FrameKind>(['o', 'e', 'f', 'd', 's']);
const isKind = (text: string): text is FrameKind => kinds.has(text);

const parseHead = (head: Buffer, token: Uint8Array): { readonly kind: FrameKind; readonly length: number } => {
  if (!head.subarray(0, tokenBytes).equals(token)) return refuse('no frames of its own');
  const kind = String.fromCharCode(head[tokenBytes] ?? 0);
  const length = head.readUInt32BE(tokenBytes + 1);
  if (!isKind(kind)) return refuse('a frame of an unknown kind');
  return length === 0 ? refuse('an empty frame') : { kind, length };
};

/**
 * Reads the frames of a child in which a stranger's program runs, so all of it may be forged. Every byte is copied once, to where
 * it stays; nothing is kept of a frame but its body; the bodies are bounded by kind, and none is empty, so their number is too.
 */
export const createFrameReader = (limits: FrameLimits, token: Uint8Array): FrameReader => {
  const places = createPlaces(limits);
  const head = Buffer.alloc(headBytes);
  /** A head that is complete is followed by its body, and a body by the next head. */
  const headPlace: Place = {
    bytes: head,
    keep: () => {
      const { kind, length } = parseHead(head, token);
      place = places.open(kind, length);
    },
  };
  let place = headPlace;
  let filled = 0;
  let bytesHandled = 0;
  let framesHandled = 0;
  const turn = (): void => {
    filled = 0;
    const done = place;
    place = headPlace;
    if (done !== headPlace) framesHandled += 1;
    done.keep();
  };
  return {
    take: (chunk) => {
      for (let at = 0; at < chunk.byteLength;) {
        const part = chunk.subarray(at, at + place.bytes.byteLength - filled);
        place.bytes.set(part, filled);
        at += part.byteLength;
        filled += part.byteLength;
        bytesHandled += part.byteLength;
        if (filled === place.bytes.byteLength) turn();
      }
    },
    received: () => ({ ...places.contents(), bytesHandled, framesHandled }),
  };
};
