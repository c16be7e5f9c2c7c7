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

/** Runs `body`, again while another process holds the lock; then throws `storage_busy`. The event loop is never held up. */
export const retryWhileLocked = async <T>(body: () => T, limits: BusyLimits): Promise<T> => {
  const giveUpAtMs = limits.monotonicMs() + limits.busyTimeoutMs;
  for (let tries = 0; ; tries += 1) {
    try {
      return body();
    } catch (cause) {
      if (sqliteDialect.faultOf(cause) !== 'busy') throw cause;
      if (limits.monotonicMs() >= giveUpAtMs) throw busy(cause);
    }
    // Tries follow one another.
    await delay(waitMs(tries));
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
