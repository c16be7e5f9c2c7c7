import { callable, whole, type OptionChecks } from '@tollgate/contract/configuration';
import type { LimitsOf } from './limit-buckets.ts';

/** The options of every limiter of this package. */
export interface LimitsOptions {
  /**
   * The limits of a caller whose records hold none, by key, project and account. A limit that the records hold stands before it.
   * It is called for each request, and must return at once.
   */
  readonly limitsOf?: LimitsOf | undefined;
  /**
   * How much of a limit on requests may be used at once, as the time in which it comes back: 1 to 60,000 ms, by default 60,000, the
   * whole minute. A shorter one spreads the requests over the minute.
   */
  readonly requestsBurstMs?: number | undefined;
  /** When a request that found no free place may be tried again (default 1,000). */
  readonly concurrencyRetryMs?: number | undefined;
}

export const minuteMs = 60_000;
export const concurrencyRetryMsDefault = 1_000;
const concurrencyRetryMsMax = 3_600_000;

export const limitsChecks: OptionChecks<LimitsOptions> = {
  limitsOf: callable(),
  requestsBurstMs: whole({ min: 1, max: minuteMs }),
  concurrencyRetryMs: whole({ min: 1, max: concurrencyRetryMsMax }),
};
