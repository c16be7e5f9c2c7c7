/** How much of a body was read for sending. */
export interface BodyProgress {
  /** False while a part of the body was certainly not written. */
  isWhole: boolean;
  /** Why the body could not be read to its end. */
  failure: unknown;
}

/** The pieces of a body, noting how far they came: an upstream that never got the end of a body cannot have run it. */
export const readNoting = async function* (
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
