import {
  bodyTurnBounds,
  createJsonScanner,
  jsonBreachError,
  type JsonBounds,
  type JsonScanner,
  type LiftedData,
  type PlacePattern,
  type TextSpan,
} from '@tollgate/contract';
import type { BodyTurn } from '../body-turns.ts';
import type { BodyCursor } from './body-cursor.ts';
import { findDataUrl } from './data-url-text.ts';
import { decodeText, NotBase64 } from './decode-text.ts';
import { createTextSpelling } from './text-spelling.ts';

/** A text at one of the places is lifted where it has more bytes than this; a shorter one stays in the JSON. */
export const liftedTextBytesMin = 65_536;

/** Takes the decoded bytes of one text as they come. */
export type Lift = (bytes: AsyncIterable<Uint8Array>) => Promise<LiftedData>;

export interface SplitBody {
  /** The JSON with a placeholder for each text that was lifted. */
  readonly json: Buffer;
  readonly lifted: ReadonlyMap<string, LiftedData>;
  /** Whether a number may be there that JSON cannot carry on. */
  readonly hasOddNumber: boolean;
  /** The long texts that stayed in the JSON. */
  readonly longTexts: readonly TextSpan[];
}

export interface SplitOptions {
  readonly places: readonly PlacePattern[];
  /** Beyond which the body is refused, and what follows is not read. */
  readonly bounds: JsonBounds;
  readonly lift: Lift;
  /** Whether the texts may be data URLs, of which the base64 is lifted and the type is kept beside it. */
  readonly dataUrls: boolean;
  /**
   * Takes what tells this body from every other, in order: the body itself, with a note in place of each text that was lifted.
   * No two bodies that parse give the same.
   */
  readonly identify: (bytes: Uint8Array) => void;
  /** Text that no client can know, for the placeholders. */
  readonly secret: string;
  /** Waited for before what stays of a large body is put together. */
  readonly turn: BodyTurn;
}

const quote = 0x22;
/** In no UTF-8, and so in no body that parses: what stands between two of them was not there. */
const noteMark = Buffer.from([0xff]);

const noteOf = (text: string): Buffer => Buffer.concat([noteMark, Buffer.from(text), noteMark]);

/** What stays of the body. Pieces are copied, so that the chunks they were in can go. */
const createRest = (identify: SplitOptions['identify']) => {
  const pieces: Buffer[] = [];
  let size = 0;
  return {
    /** The note is what the piece is known by, where that is not itself. */
    add: (piece: Uint8Array, note: Uint8Array = piece): void => {
      identify(note);
      if (piece.length > 0) pieces.push(Buffer.from(piece));
      size += piece.length;
    },
    size: (): number => size,
    whole: (): Buffer => Buffer.concat(pieces),
  };
};

type Rest = ReturnType<typeof createRest>;

/** Reads a text until it ends or is long enough to be lifted, and returns what was read. */
const beginText = async (cursor: BodyCursor): Promise<{ readonly begun: Buffer; readonly isLong: boolean }> => {
  const pieces: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = cursor.chunk();
    const end = chunk.indexOf(quote, cursor.at());
    const piece = chunk.subarray(cursor.at(), end === -1 ? chunk.length : end);
    pieces.push(Buffer.from(piece));
    size += piece.length;
    cursor.moveTo(cursor.at() + piece.length);
    if (size > liftedTextBytesMin) return { begun: Buffer.concat(pieces), isLong: true };
    if (end !== -1 || !(await cursor.advance())) return { begun: Buffer.concat(pieces), isLong: false };
  }
};

/** Leaves bytes of a text where they are. */
const keep = (scanner: JsonScanner, rest: Rest, bytes: Buffer, note?: Buffer): void => {
  rest.add(bytes, note);
  scanner.resumeText();
  scanner.scan(bytes, 0);
};

interface LiftedText {
  readonly data: LiftedData;
  /** What tells the text from every other. */
  readonly note: Buffer;
}

/** What is left of a text that turned out to be no base64. */
interface UnliftedText {
  readonly data: null;
  readonly rest: Buffer;
  readonly isWhole: boolean;
}

/** Lifts a text, or returns what was read of it and is no base64. What the source threw is reported before what the store did. */
const liftBase64 = async (cursor: BodyCursor, begun: Buffer, lift: Lift): Promise<LiftedText | NotBase64> => {
  const spelling = createTextSpelling();
  let failure: { readonly cause: unknown } | null = null;
  async function* source(): AsyncGenerator<Uint8Array, void> {
    try {
      yield* decodeText(cursor, begun, spelling);
    } catch (cause) {
      failure = { cause };
      throw cause;
    }
  }
  const failed = (): { readonly cause: unknown } | null => failure;
  try {
    const data = await lift(source());
    return { data, note: noteOf(`${data.sizeBytes}:${data.sha256}:${spelling.end()}`) };
  } catch (cause) {
    const first = failed()?.cause ?? cause;
    if (first instanceof NotBase64) return first;
    throw first;
  }
};

/**
 * The same for a text that may be a data URL. One that turns out to be no base64 stays, as it is or, where its beginning is gone by
 * then, with a sign in its place that is none either: a check finds what it would have found.
 */
const liftText = async (
  cursor: BodyCursor,
  begun: Buffer,
  { lift, dataUrls }: Pick<SplitOptions, 'lift' | 'dataUrls'>,
): Promise<LiftedText | UnliftedText> => {
  const url = dataUrls ? findDataUrl(begun) : null;
  const prefix = url?.prefix ?? Buffer.alloc(0);
  const taken = await liftBase64(cursor, begun.subarray(prefix.length), lift);
  if (taken instanceof NotBase64) {
    const gone = Buffer.from(taken.isWhole ? '' : '*');
    return { data: null, rest: Buffer.concat([prefix, gone, taken.held]), isWhole: taken.isWhole };
  }
  if (url === null) return taken;
  return { data: { ...taken.data, declared: url.declared }, note: Buffer.concat([prefix, taken.note]) };
};

/**
 * Reads a JSON body to its end and lifts the long base64 texts at the places out of it. A body of which the beginning of a text is
 * gone, as that was found to be no base64 too late, is like no other, not even itself sent again.
 */
export const splitMedia = async (cursor: BodyCursor, options: SplitOptions): Promise<SplitBody> => {
  const { places, bounds, secret, identify } = options;
  const scanner = createJsonScanner(places, bounds);
  const rest = createRest(identify);
  const lifted = new Map<string, LiftedData>();
  const takeText = async (): Promise<void> => {
    const { begun, isLong } = await beginText(cursor);
    if (!isLong) return keep(scanner, rest, begun);
    const taken = await liftText(cursor, begun, options);
    if (taken.data === null) return keep(scanner, rest, taken.rest, taken.isWhole ? undefined : noteOf(secret));
    const placeholder = `${secret}:${lifted.size}`;
    lifted.set(placeholder, taken.data);
    return keep(scanner, rest, Buffer.from(placeholder), taken.note);
  };
  while (await cursor.advance()) {
    while (cursor.at() < cursor.chunk().length) {
      const from = cursor.at();
      const stop = scanner.scan(cursor.chunk(), from);
      if (stop.breach !== null) throw jsonBreachError(stop.breach, bounds);
      rest.add(cursor.chunk().subarray(from, stop.at));
      cursor.moveTo(stop.at);
      if (stop.found) await takeText();
    }
  }
  if (rest.size() > bodyTurnBounds.largeBytesMin) await options.turn();
  return { json: rest.whole(), lifted, hasOddNumber: scanner.hasOddNumber(), longTexts: scanner.longTexts() };
};
