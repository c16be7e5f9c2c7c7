import { setTimeout as delay } from 'node:timers/promises';
import { storageBusyCode } from '@tollgate/storage';
import { sqliteDialect } from './sqlite-dialect.ts';

/** Waits between tries: other processes commit in well under a millisecond, so the first tries come at once. */
const waitsMs = [0, 0, 1, 1, 2, 2, 5, 5, 10] as const;
const longestWaitMs = 20;

const busy = (cause: unknown): Error =>
  Object.assign(new Error('another process holds the database', { cause }), { code: storageBusyCode });

const waitMs = (tries: number): number => waitsMs[tries] ?? longestWaitMs;

export interface BusyLimits {
  /** How long to try at the most. */
  readonly busyTimeoutMs: number;
  /** A clock that never goes back. */
  readonly monotonicMs: () => number;
}

/** Tries again until the time is over; the first try has failed as `cause` says. */
const tryAgain = async <T>(body: () => T, first: unknown, limits: BusyLimits): Promise<T> => {
  const giveUpAtMs = limits.monotonicMs() + limits.busyTimeoutMs;
  let cause = first;
  for (let tries = 0; ; tries += 1) {
    if (sqliteDialect.faultOf(cause) !== 'busy') throw cause;
    if (limits.monotonicMs() >= giveUpAtMs) throw busy(cause);
    // Tries follow one another.
    await delay(waitMs(tries));
    try {
      return body();
    } catch (again) {
      cause = again;
    }
  }
};

/**
 * Runs `body`, again while another process holds the lock; then rejects with `storage_busy`. The event loop is never held up. What the
 * first try returns is returned as it is: a lone step that finds no lock waits for no promise.
 */
export const retryWhileLocked = <T>(body: () => T, limits: BusyLimits): T | Promise<T> => {
  try {
    return body();
  } catch (cause) {
    return tryAgain(body, cause, limits);
  }
};

/** The same while a program starts, when there is no event loop to hold up yet. */
export const retryWhileLockedBlocking = <T>(body: () => T, limits: BusyLimits): T => {
  const giveUpAtMs = limits.monotonicMs() + limits.busyTimeoutMs;
  const never = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 0; ; tries += 1) {
    try {
      return body();
    } catch (cause) {
      if (sqliteDialect.faultOf(cause) !== 'busy') throw cause;
      if (limits.monotonicMs() >= giveUpAtMs) throw busy(cause);
    }
    Atomics.wait(never, 0, 0, Math.max(1, waitMs(tries)));
  }
};
