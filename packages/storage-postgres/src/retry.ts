import { setTimeout as delay } from 'node:timers/promises';
import { collisionWaitMs, storageBusyCode } from '@tollgate/storage';
import { connectionLostCode } from './line.ts';

/** Why a transaction that changed nothing may be tried again. */
export type RetryReason =
  /** Another process created what was absent: the winner is committed, so at once. */
  | 'race'
  /** Another transaction holds what is needed. */
  | 'contention'
  /** There is no connection. */
  | 'lost';

const uniqueViolation = '23505';
const contentionCodes = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '55P03', // lock_not_available
]);
const lostCodes = new Set([
  connectionLostCode,
  '25006', // read_only_sql_transaction: the server became a standby
  '25P03', // idle_in_transaction_session_timeout
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
]);
const statementTimeout = '57014';

export const codeOf = (cause: unknown): string | undefined =>
  typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string'
    ? cause.code
    : undefined;

export const retryReason = (cause: unknown): RetryReason | null => {
  const code = codeOf(cause);
  if (code === undefined) return null;
  if (code === uniqueViolation) return 'race';
  if (contentionCodes.has(code)) return 'contention';
  return lostCodes.has(code) ? 'lost' : null;
};

const busy = (cause: unknown): Error =>
  Object.assign(new Error('the database is too busy', { cause }), { code: storageBusyCode });

/** The error to give up with: what a caller can only wait out is `storage_busy`. */
const finalError = (cause: unknown): unknown =>
  retryReason(cause) === 'contention' || codeOf(cause) === statementTimeout ? busy(cause) : cause;

export interface RetryLimits {
  readonly retriesMax: number;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
}

/** Runs `body` again, up to `retriesMax` times, where it changed nothing for a reason that passes. */
export const retrying = async <T>(limits: RetryLimits, body: (retries: number) => Promise<T>): Promise<T> => {
  for (let retries = 0; ; retries += 1) {
    try {
      return await body(retries);
    } catch (cause) {
      const reason = retryReason(cause);
      if (reason === null || retries >= limits.retriesMax) throw finalError(cause);
      if (reason !== 'race' || retries > 0) await delay(collisionWaitMs(retries, limits.random));
    }
  }
};
