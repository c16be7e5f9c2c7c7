import { createHash } from 'node:crypto';
import { checkDigest } from './content-digest.ts';
import type { Deadline } from './deadline.ts';
import { S3Failure } from './s3-failure.ts';

export interface IncomingBody {
  readonly body: ReadableStream<Uint8Array>;
  readonly bytes: number;
  /** As it was stored with the blob, where it was. */
  readonly digest: string | undefined;
}

/**
 * Passes on a body at the reader's pace. Ends well only after all bytes have come and match their digest, else with an Error. The
 * deadline runs only while a piece is awaited, so a slow reader is no fault.
 */
export const createIncomingStream = (incoming: IncomingBody, deadline: Deadline): ReadableStream<Uint8Array> => {
  const reader = incoming.body.getReader();
  const hash = createHash('sha256');
  let received = 0;
  const next = async (): Promise<Uint8Array | undefined> => {
    deadline.start();
    const piece = (await reader.read()).value;
    deadline.stop();
    received += piece?.byteLength ?? 0;
    if (received > incoming.bytes || (piece === undefined && received < incoming.bytes)) {
      throw new S3Failure('the content does not have the length that was announced', true);
    }
    if (piece === undefined) checkDigest(incoming.digest, hash.digest('hex'));
    else if (incoming.digest !== undefined) hash.update(piece);
    return piece;
  };
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    try {
      const piece = await next();
      if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    } catch (cause) {
      const failure = deadline.toFailure(cause);
      deadline.abort(failure);
      throw new Error(`S3 get: ${failure.message}`, { cause });
    }
  };
  const cancel = async (reason: unknown): Promise<void> => {
    deadline.stop();
    await reader.cancel(reason);
  };
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
};
