import { S3Failure, toS3Failure } from './s3-failure.ts';

/** A limit on waiting that can be started anew and stopped. */
export interface Deadline {
  /** Aborts when the time is over, or by `abort`. */
  readonly signal: AbortSignal;
  /** Counts from now; does nothing once aborted. */
  start(): void;
  stop(): void;
  /** Breaks off what hangs on the signal, at once; the first failure counts. */
  abort(failure: S3Failure): void;
  /** What a rejection means: the failure that aborted, otherwise a fault of the connection. */
  toFailure(cause: unknown): S3Failure;
}

const createDeadline = (timeoutMs: number): Deadline => {
  const controller = new AbortController();
  const { signal } = controller;
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => clearTimeout(timer);
  const abort = (failure: S3Failure): void => {
    stop();
    controller.abort(failure);
  };
  const start = (): void => {
    stop();
    if (signal.aborted) return;
    timer = setTimeout(() => abort(new S3Failure(`nothing came for ${timeoutMs} ms`, true)), timeoutMs);
  };
  // Fetch may reject with a copy of the reason, so the signal's own is asked.
  return { signal, start, stop, abort, toFailure: (cause) => toS3Failure(signal.aborted ? signal.reason : cause) };
};

/** Does work within the time. Whatever it began on the signal is broken off when it fails. */
export const runInTime = async <T>(timeoutMs: number, work: (deadline: Deadline) => Promise<T>): Promise<T> => {
  const deadline = createDeadline(timeoutMs);
  deadline.start();
  try {
    return await work(deadline);
  } catch (cause) {
    const failure = deadline.toFailure(cause);
    deadline.abort(failure);
    throw failure;
  } finally {
    deadline.stop();
  }
};
