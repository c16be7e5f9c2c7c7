import type { Clock } from '../engine.ts';
import { withDeadline } from './with-deadline.ts';

/** A function of the host that did not return what it was asked for. */
export interface HostFailure {
  readonly kind: 'failed';
  /** `late`, `threw`, or what was wrong with the value that it returned. */
  readonly reason: string;
  readonly cause?: unknown;
}

/** How long a function of the host may take, and the message with which its signal ends then. */
export interface HostDeadline {
  readonly ms: number;
  readonly late: string;
}

/** Wait of a refused client, in milliseconds, where the function names none that can be meant, and where it failed. */
export const retryAfterMsDefault = 1_000;

/** A longer wait is taken for a mistake: a day. */
const retryAfterMsMax = 24 * 3_600_000;

/** Whether a function of the host can have meant this wait of a refused client, in milliseconds. */
export const isAskedWait = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= retryAfterMsMax;

const onLate = (): HostFailure => ({ kind: 'failed', reason: 'late' });

/** Calls a function of the host, and waits for it no longer than its deadline. Never rejects. */
export const askInTime = <T>(
  clock: Pick<Clock, 'after'>,
  { ms, late }: HostDeadline,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T | HostFailure> => {
  const run = async (signal: AbortSignal): Promise<T | HostFailure> => {
    try {
      return await ask(signal);
    } catch (cause) {
      return { kind: 'failed', reason: 'threw', cause };
    }
  };
  return withDeadline<T | HostFailure>(clock, { ms, late: () => new Error(late), onLate }, run);
};
