import { Readable } from 'node:stream';
import type { WireBody } from './wire-body.ts';

/** How much of a body was read for sending. */
export interface BodyProgress {
  /** False while a part of the body was certainly not written. */
  isWhole: boolean;
  /** Why the body could not be read to its end. */
  failure: unknown;
}

/** Before anything is read. A body in memory counts as whole at once: it may go out with the first write. */
export const startBody = (body: WireBody | undefined): BodyProgress => ({
  isWhole: body?.kind !== 'pieces',
  failure: undefined,
});

/** What is read ahead of a body while the connection is busy. */
const readAheadBytes = 65_536;

/** The pieces of a body as a stream that notes how far they came: who never got the end of a body cannot have acted on it. */
export const readNoting = (read: () => AsyncIterable<Uint8Array>, progress: BodyProgress): Readable =>
  Readable.from(notePieces(read, progress), { objectMode: false, highWaterMark: readAheadBytes });

const notePieces = async function* (
  read: () => AsyncIterable<Uint8Array>,
  progress: BodyProgress,
): AsyncIterable<Uint8Array> {
  try {
    for await (const piece of read()) if (piece.length > 0) yield piece;
    progress.isWhole = true;
  } catch (cause) {
    progress.failure = cause;
    throw cause;
  }
};
