import type { Deadline } from './deadline.ts';
import { S3Failure } from './s3-failure.ts';

const readPiece = async (source: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | undefined> => {
  try {
    return (await source.read()).value;
  } catch (cause) {
    throw new S3Failure('the stream to store broke', false, { cause });
  }
};

/**
 * Passes on a source of exactly that many bytes, at the pace of the network. Starts the deadline anew with each piece, and aborts
 * by it where the source breaks or has another length.
 */
export const createOutgoingStream = (
  source: ReadableStreamDefaultReader<Uint8Array>,
  bytes: number,
  deadline: Deadline,
): ReadableStream<Uint8Array> => {
  let sent = 0;
  const next = async (): Promise<Uint8Array | undefined> => {
    const piece = await readPiece(source);
    deadline.start();
    sent += piece?.byteLength ?? 0;
    if (sent > bytes || (piece === undefined && sent < bytes)) {
      throw new S3Failure('the stream does not have the length that was told', false);
    }
    return piece;
  };
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    try {
      const piece = await next();
      if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    } catch (cause) {
      deadline.abort(deadline.toFailure(cause));
      throw cause;
    }
  };
  return new ReadableStream({ pull }, { highWaterMark: 0 });
};
