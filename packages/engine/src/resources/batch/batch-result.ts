import { errorTable, isErrorCode } from '@tollgate/contract';
import { isUsageUnit, type Usage, type UsageUnit } from '@tollgate/provider';
import type { BatchItemRecord, UsageRecord } from '@tollgate/storage';
import { storedAttempts, storedUsage } from '../../decisions/stored-values.ts';
import { carryAmount, type Carried, type Measure } from '../../decisions/carry.ts';
import type { Engine } from '../../engine.ts';
import { creditsFromMicros } from '../../ledger/micros.ts';
import { readBlob } from '../../operations/pending-blobs.ts';
import { picosOfItem, pricesOf, type Priced } from '../../ledger/operation-prices.ts';
import { chargeOfPicos, isUsed } from '../../ledger/price-usage.ts';
import type { WorkResult } from '../../workers/work-kind.ts';
import { itemBlobKey } from './item-answer.ts';

/** A result of so many bytes is put together in memory; a longer one is not. */
const wholeBytesMax = 1_048_576;

const asUsage = (records: readonly UsageRecord[], confirmed: boolean): readonly Usage[] =>
  records.flatMap(({ unit, quantity }) => (isUsageUnit(unit) ? [{ unit, quantity, confirmed }] : []));

/** The usage of an item as it was noted. */
const usageOf = ({ usage }: BatchItemRecord): readonly Usage[] => asUsage(storedUsage(usage ?? []), true);

const addUsage = (sum: Map<UsageUnit, number>, usage: readonly Usage[]): void => {
  for (const { unit, quantity } of usage) sum.set(unit, (sum.get(unit) ?? 0) + quantity);
};

const toUsage = (sum: ReadonlyMap<UsageUnit, number>): readonly Usage[] =>
  [...sum].map(([unit, quantity]) => ({ unit, quantity, confirmed: true }));

/** What all items used together; where none used anything, that is a measure, too. */
export const usageOfItems = (items: readonly BatchItemRecord[]): readonly Usage[] => {
  const sum = new Map<UsageUnit, number>();
  for (const item of items) addUsage(sum, usageOf(item));
  return sum.size === 0 ? [{ unit: 'input_text_tokens', quantity: 0, confirmed: true }] : toUsage(sum);
};

/** What items used at the least of unknown outcome. */
export const usageAtLeastOfItems = (items: readonly BatchItemRecord[]): readonly Usage[] =>
  items.flatMap((item) => {
    if (item.state !== 'unknown') return [];
    const attempts = storedAttempts(item.attempts);
    return attempts.flatMap(({ usageAtLeast = [] }) => asUsage(usageAtLeast, false));
  });

/** What a batch costs, and what of it each item does. */
export interface BatchCharge {
  /** Reported by the items, so it is debited as it is; null where it is unknown. */
  readonly measure: Measure | null;
  readonly credits: ReadonlyMap<string, number>;
}

// batches:tariff:per-item
/**
 * What the items cost where the account carries so much. The whole is rounded once, so an item is charged what it adds to the rounded
 * sum of those before it, and the last one what a minimum adds to all: the items add up to the batch exactly
 */
export const chargeOfItems = (
  engine: Pick<Engine, 'policy'>,
  operation: Priced,
  items: readonly BatchItemRecord[],
  remainderPicos: number,
): BatchCharge => {
  const prices = pricesOf(engine, operation);
  const charged = items.filter(({ state }) => state === 'completed');
  let picos = 0n;
  let anyUsed = false;
  const credits = new Map<string, number>();
  let before: Carried = { amountMicros: 0n, carriedPicos: 0 };
  for (const [place, item] of charged.entries()) {
    const usage = usageOf(item);
    const own = prices === null ? null : picosOfItem(prices, item, usage);
    if (prices === null || own === null) return { measure: null, credits };
    picos += own;
    anyUsed ||= isUsed(usage);
    const last = place === charged.length - 1;
    const untilLast = { ...prices, chargeMinimumMicros: 0n, requestFeeMicros: 0n };
    const price = chargeOfPicos(last ? prices : untilLast, picos, anyUsed);
    if (price === null) return { measure: null, credits };
    const carried = carryAmount(remainderPicos, price);
    credits.set(item.id, creditsFromMicros(carried.amountMicros - before.amountMicros));
    before = carried;
  }
  return { measure: { micros: before.amountMicros, fractionPicos: before.carriedPicos, isFixed: true }, credits };
};

const errorOf = (code: string | null) => {
  const known = code !== null && isErrorCode(code) ? code : 'request_failed';
  return { code: known, message: errorTable[known].message };
};

/** What stands before and behind the answer of an item; an item without one is all before it. */
const frameOf = (item: BatchItemRecord, credits: number | undefined): readonly [before: string, after: string] => {
  const key = JSON.stringify(item.key);
  switch (item.state) {
    case 'completed': {
      const paid = credits === undefined ? '' : `,"credits":${JSON.stringify(credits)}`;
      return [`{"key":${key},"status":"completed","response":`, `${paid}}`];
    }
    case 'cancelled':
      return [`{"key":${key},"status":"cancelled"}`, ''];
    case 'failed':
    case 'unknown':
    case 'waiting':
    case 'running':
      return [`{"key":${key},"status":"failed","error":${JSON.stringify(errorOf(item.errorCode))}}`, ''];
  }
};

async function* chunksOf(
  engine: Engine,
  items: readonly BatchItemRecord[],
  credits: ReadonlyMap<string, number>,
): AsyncGenerator<Uint8Array, void> {
  for (const [place, item] of items.entries()) {
    const [before, after] = frameOf(item, credits.get(item.id));
    yield Buffer.from(`${place === 0 ? '{"results":[' : ','}${before}${item.answer ?? ''}`);
    if (item.state === 'completed' && item.answer === null) yield* readBlob(engine, itemBlobKey(item.id));
    if (after !== '') yield Buffer.from(after);
  }
  yield Buffer.from(']}');
}

const textOf = (items: readonly BatchItemRecord[], credits: ReadonlyMap<string, number>): string => {
  const results = items.map((item) => {
    const [before, after] = frameOf(item, credits.get(item.id));
    return `${before}${item.answer ?? ''}${after}`;
  });
  return `{"results":[${results.join(',')}]}`;
};

/** The results of all items as JSON; responses that lie in blobs go from there to where the whole lies, chunk by chunk. */
export const resultOfItems = (
  engine: Engine,
  items: readonly BatchItemRecord[],
  credits: BatchCharge['credits'],
): WorkResult => {
  const bytes = items.reduce((sum, { answerBytes }) => sum + answerBytes, 0);
  const inRows = items.every(({ state, answer }) => state !== 'completed' || answer !== null);
  return inRows && bytes <= wholeBytesMax ? textOf(items, credits) : () => chunksOf(engine, items, credits);
};

/** The blobs that hold answers of items. */
export const answerBlobKeys = (items: readonly BatchItemRecord[]): readonly string[] =>
  items.flatMap(({ id, state, answer }) => (state === 'completed' && answer === null ? [itemBlobKey(id)] : []));
