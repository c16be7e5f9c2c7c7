import { storageBusyCode } from '@tollgate/storage';

export interface PersistOptions {
  readonly triesMax: number;
  readonly pauseMs: number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** What of an engine says how patiently its steps are sent again. */
export interface Patience {
  readonly limits: { readonly persistTriesMax: number; readonly persistPauseMs: number };
  readonly sleep: (ms: number) => Promise<void>;
}

export const patienceOf = ({ limits, sleep }: Patience): PersistOptions => ({
  triesMax: limits.persistTriesMax,
  pauseMs: limits.persistPauseMs,
  sleep,
});

/** A storage with too many steps waiting refuses before it does anything. */
export const isStorageBusy = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === storageBusyCode;

/**
 * Sends a step again until the storage confirms it, with pauses that double. Every step is repeatable by its id, so a
 * commit that happened and was not confirmed does no harm. Throws when the tries are used up: "busy" only where every try was
 * refused as busy, so that it still means that nothing was done.
 */
export const persist = async <T>(options: PersistOptions, step: (attempt: number) => Promise<T>): Promise<T> => {
  let unknown: { readonly cause: unknown } | null = null;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await step(attempt);
    } catch (cause) {
      if (!isStorageBusy(cause)) unknown = { cause };
      if (attempt >= options.triesMax) throw (unknown ?? { cause }).cause;
    }
    await options.sleep(options.pauseMs * 2 ** (attempt - 1));
  }
};
