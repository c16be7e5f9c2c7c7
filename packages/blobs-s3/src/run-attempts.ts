import { toS3Failure } from './s3-failure.ts';
import type { S3Settings } from './s3-options.ts';

const firstPauseMs = 100;
const pauseMsMax = 5000;

/** Between half and all of a time that doubles with each failure, so that many callers do not come back at once. */
const toPauseMs = (failures: number, random: number): number =>
  Math.round(Math.min(pauseMsMax, firstPauseMs * 2 ** failures) * (0.5 + random / 2));

/**
 * Attempts until one succeeds, fails for good or was the last that `retries` allows. What it throws is an Error that names the
 * verb and what went wrong.
 */
export const runAttempts = async <T>(
  verb: string,
  pace: Pick<S3Settings, 'retries' | 'sleep' | 'random'>,
  attempt: () => Promise<T>,
): Promise<T> => {
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt();
    } catch (cause) {
      const failure = toS3Failure(cause);
      if (!failure.canRepeat || failures >= pace.retries) {
        throw new Error(`S3 ${verb}: ${failure.message}`, { cause });
      }
    }
    await pace.sleep(toPauseMs(failures, pace.random()));
  }
};
