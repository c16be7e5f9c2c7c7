/** A body of known length that lies somewhere else and is read at the client's pace. */
export interface ByteBody {
  readonly kind: 'bytes';
  readonly sizeBytes: number;
  /** Read at most once, and not at all where only headers are asked for. Throws where the bytes break off. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Bytes in memory as a body. */
export const bytesOf = (bytes: Uint8Array): ByteBody => ({
  kind: 'bytes',
  sizeBytes: bytes.byteLength,
  chunks: onePiece(bytes),
});

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

/**
 * The bytes as the body of a fetch answer. One chunk is read whenever the reader wants one, and never ahead; where the source
 * breaks off the body errors, so that a reader cannot take it for complete.
 */
export const byteStream = ({ chunks }: ByteBody): ReadableStream<Uint8Array> => {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const next = await iterator.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: async () => {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
};
