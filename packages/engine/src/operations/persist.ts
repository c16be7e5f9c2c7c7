import { storageBusyCode, type Storage } from '@tollgate/storage';
import type { Step } from '../decisions/step.ts';

export interface PersistOptions {
  readonly triesMax: number;
  readonly pauseMs: number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** What of an engine says how patiently its steps are sent again. */
export interface Patience {
  readonly limits: { readonly persistTriesMax: number; readonly persistPauseMs: number };
  readonly clock: { readonly sleep: (ms: number) => Promise<void> };
}

export const patienceOf = ({ limits, clock }: Patience): PersistOptions => ({
  triesMax: limits.persistTriesMax,
  pauseMs: limits.persistPauseMs,
  sleep: clock.sleep,
});

/** A storage with too many steps waiting refuses before it does anything. */
export const isStorageBusy = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === storageBusyCode;

/**
 * Sends a step again until the storage confirms it, with pauses that double. Every step is repeatable by its id, so a
 * commit that happened and was not confirmed does no harm. Throws when the tries are used up: "busy" only where every try was
 * refused as busy, so that it still means that nothing was done.
 */
export const persist = <T>(options: PersistOptions, step: (attempt: number) => Promise<T>): Promise<T> =>
  step(1).catch((cause: unknown) => sendAgain(options, step, cause));

const sendAgain = async <T>(
  { triesMax, pauseMs, sleep }: PersistOptions,
  step: (attempt: number) => Promise<T>,
  first: unknown,
): Promise<T> => {
  let failure = first;
  for (let attempt = 2; attempt <= triesMax; attempt += 1) {
    await sleep(pauseMs * 2 ** (attempt - 2));
    try {
      return await step(attempt);
    } catch (cause) {
      if (isStorageBusy(failure) || !isStorageBusy(cause)) failure = cause;
    }
  }
  throw failure;
};

/** What carries steps out: a storage, or one that tells of events beside it. */
export interface Carrier {
  readonly storage: Pick<Storage, 'transact'>;
}

/** Carries a step out, without sending it again: for a caller that comes back by itself, or that may not repeat it. */
export const commitOnce = <T>({ storage }: Carrier, { keys, decide }: Step<T>): Promise<T> =>
  storage.transact(keys, decide);

/**
 * Carries a step out, and sends it again until the storage confirms it; throws where it never does. A step that must know of
 * an earlier try is given as a function of the number of the try, which begins with 1.
 */
export const commit = <T>(engine: Carrier & Patience, step: Step<T> | ((attempt: number) => Step<T>)): Promise<T> =>
  persist(patienceOf(engine), (attempt) => commitOnce(engine, typeof step === 'function' ? step(attempt) : step));
