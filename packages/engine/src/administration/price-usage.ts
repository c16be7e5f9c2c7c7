import {
  also,
  faultAt,
  memberPlace,
  number,
  optionsCheck,
  nullable,
  required,
  text,
  whole,
} from '@tollgate/contract/configuration';
import { listRowsMax, type BatchItemRecord, type IndexCursor, type OperationRecord } from '@tollgate/storage';
import type { Engine } from '../engine.ts';
import { priceAgain, type UnpricedReason } from '../ledger/price-again.ts';
import { roundedHalfUp } from '../ledger/price-usage.ts';
import { tariffCheck } from '../ledger/tariff-check.ts';
import type { TariffInput } from '../ledger/tariff-input.ts';
import { parseTariff, type Tariff } from '../ledger/tariff.ts';
import { byAge } from './search.ts';

/** A place among the operations of all accounts: the account in hand, and the last of its operations that was read. */
export interface PricedPlace {
  readonly account: IndexCursor;
  readonly operation: IndexCursor | null;
}

/** Which operations are priced by another list. */
export interface PriceUsageQuery {
  /** The list by which usage is priced. It is not kept, and charges nothing. */
  readonly tariff: TariffInput;
  /** Operations that were opened from then on. */
  readonly fromMs: number;
  /** The end of the time, excluded. */
  readonly untilMs: number;
  /** By default all accounts. */
  readonly accountId?: string | undefined;
  /** `next` of the page before. */
  readonly after?: PricedPlace | undefined;
}

/** Operations without a price by the list, and what they were charged. */
export interface UnpricedUsage {
  readonly reason: UnpricedReason;
  readonly requests: number;
  readonly chargedMicros: bigint;
}

/** What the operations of one account, plan and model cost, and would cost. */
export interface PricedUsageRow {
  readonly accountId: string;
  /** The plan by which they were charged; null for none. */
  readonly plan: string | null;
  readonly model: string;
  /** Those that have a price by the list. */
  readonly requests: number;
  /** What these were charged. */
  readonly chargedMicros: bigint;
  /** What the list charges for them, rounded to the nearest micro-credit. */
  readonly pricedMicros: bigint;
  readonly unpriced: readonly UnpricedUsage[];
}

/** A page of a dry run. The same account, plan and model may stand on the next page again: its amounts add up. */
export interface PricedUsagePage {
  readonly items: readonly PricedUsageRow[];
  readonly next: PricedPlace | null;
}

/** Rows that one page reads at the most, but for the last list of them. */
const rowsReadMax = 2_000;

const cursor = optionsCheck<IndexCursor>({ order: required(number()), id: required(text({ charsMin: 0 })) });

export const priceUsageCheck = also(
  optionsCheck<PriceUsageQuery>({
    tariff: required(tariffCheck),
    fromMs: required(whole({ min: 0 })),
    untilMs: required(whole({ min: 0 })),
    accountId: text(),
    after: optionsCheck<PricedPlace>({ account: required(cursor), operation: required(nullable(cursor)) }),
  }),
  ({ fromMs, untilMs }, place) =>
    untilMs > fromMs
      ? []
      : faultAt(memberPlace(place, 'untilMs'), `is ${untilMs}`, `is a time after fromMs, which is ${fromMs}`),
);

interface Sum {
  readonly accountId: string;
  readonly plan: string | null;
  readonly model: string;
  requests: number;
  chargedMicros: bigint;
  picos: bigint;
  readonly unpriced: Map<UnpricedReason, { requests: number; chargedMicros: bigint }>;
}

const createSums = (list: Tariff) => {
  const sums = new Map<string, Sum>();
  const sumOf = ({ accountId, plan, model }: OperationRecord): Sum => {
    const key = JSON.stringify([accountId, plan, model]);
    const sum = sums.get(key) ?? {
      accountId,
      plan,
      model,
      requests: 0,
      chargedMicros: 0n,
      picos: 0n,
      unpriced: new Map(),
    };
    sums.set(key, sum);
    return sum;
  };
  return {
    add: (operation: OperationRecord, items: readonly BatchItemRecord[] | null): void => {
      const sum = sumOf(operation);
      const priced = priceAgain(list, operation, items);
      if (priced.kind === 'priced') {
        sum.requests += 1;
        sum.chargedMicros += operation.chargedMicros;
        sum.picos += priced.picos;
        return;
      }
      const { requests, chargedMicros } = sum.unpriced.get(priced.reason) ?? { requests: 0, chargedMicros: 0n };
      const more = { requests: requests + 1, chargedMicros: chargedMicros + operation.chargedMicros };
      sum.unpriced.set(priced.reason, more);
    },
    rows: (): readonly PricedUsageRow[] =>
      Array.from(sums.values(), ({ picos, unpriced, ...sum }) => ({
        ...sum,
        // Once for all of them.
        pricedMicros: roundedHalfUp(picos),
        unpriced: Array.from(unpriced, ([reason, of]) => ({ reason, ...of })),
      })),
  };
};

type Storing = Pick<Engine, 'storage'>;

/** The accounts of a query behind its place, each with the last of its operations that was read. */
async function* accountsOf(
  { storage }: Storing,
  { accountId, after }: PriceUsageQuery,
): AsyncGenerator<PricedPlace, void> {
  if (accountId !== undefined) {
    yield { account: { order: 0, id: accountId }, operation: after?.operation ?? null };
    return;
  }
  if (after !== undefined) yield after;
  for (let last = after?.account; ;) {
    const accounts = await storage.list('accounts', { of: '', limit: listRowsMax, after: last });
    for (const account of accounts) yield { account: byAge(account), operation: null };
    const end = accounts.at(-1);
    if (end === undefined || accounts.length < listRowsMax) return;
    last = byAge(end);
  }
}

const itemsOf = async ({ storage }: Storing, { id, kind }: OperationRecord) =>
  kind === 'batch' ? storage.list('itemsByBatch', { of: id, limit: listRowsMax }) : null;

/**
 * What the usage of a time would cost by another price list, beside what it was charged: every operation that completed is priced by
 * itself, with its length, its provider, its plan and its account. Nothing is written.
 */
export const priceUsage = async (engine: Storing, query: PriceUsageQuery): Promise<PricedUsagePage> => {
  const { fromMs, untilMs } = query;
  const sums = createSums(parseTariff(query.tariff));
  let read = 0;
  for await (const { account, operation: first } of accountsOf(engine, query)) {
    let place: IndexCursor | null = first ?? { order: untilMs, id: '' };
    while (place !== null) {
      if (read >= rowsReadMax) return { items: sums.rows(), next: { account, operation: place } };
      const rows: readonly OperationRecord[] = await engine.storage.list('operationsByAccount', {
        of: account.id,
        limit: listRowsMax,
        after: place,
      });
      read += rows.length + 1;
      const within = rows.filter(({ createdAtMs }) => createdAtMs >= fromMs);
      for (const operation of within) {
        if (operation.state !== 'completed') continue;
        const items = await itemsOf(engine, operation);
        read += items?.length ?? 0;
        sums.add(operation, items);
      }
      const last = within.at(-1);
      place = last === undefined || within.length < listRowsMax ? null : byAge(last);
    }
  }
  return { items: sums.rows(), next: null };
};
