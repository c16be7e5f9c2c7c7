import type { Bind } from './bind-methods.ts';
import { priceUsage, type PricedUsagePage, type PriceUsageQuery } from './price-usage.ts';
import { usage, type UsagePage } from './usage.ts';
import { usageCsv } from './usage-csv.ts';
import type { UsageQuery, UsageRange } from './usage-query.ts';

/** Usage: what was run and charged, summed. */
export interface UsageMethods {
  /**
   * What was used in a range, by period (`bucket`) and by account, project, key, model or provider (`groupBy`), exact to the
   * micro-credit with the ledger as it is now. Pages of up to 1,000 rows.
   */
  readonly usage: (query: UsageQuery) => Promise<UsagePage>;
  /** The same as CSV in UTF-8, all pages, read as the reader takes them. */
  readonly usageCsv: (range: UsageRange) => Promise<ReadableStream<Uint8Array>>;
  /**
   * What the operations of a time would have cost by another price list, beside what they were charged, by account, plan and model.
   * A page reads some 2,000 rows; the amounts of all pages add up. Nothing is written.
   */
  readonly priceUsage: (query: PriceUsageQuery) => Promise<PricedUsagePage>;
}

export const bindUsage = (bind: Bind): UsageMethods => ({
  usage: bind('usage', usage),
  usageCsv: bind('usageCsv', usageCsv),
  priceUsage: bind('priceUsage', priceUsage),
});
