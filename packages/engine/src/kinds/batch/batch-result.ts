import { errorTable, type ErrorCode } from '@tollgate/contract';
import { usageUnits, type Usage, type UsageUnit } from '@tollgate/provider';
import type { BatchItemRecord, OperationRecord } from '@tollgate/storage';
import type { Engine } from '../../engine.ts';
import { creditsFromMicros } from '../../micros.ts';
import { readBlob } from '../../pending-blobs.ts';
import { findKindTariff, priceOf } from '../../tariff.ts';
import type { WorkResult } from '../../work/work-kind.ts';
import { itemBlobKey } from './item-answer.ts';

/** A result of so many bytes is put together in memory; a longer one is not. */
const wholeBytesMax = 1_048_576;

const isUnit = (unit: string): unit is UsageUnit => usageUnits.some((known) => known === unit);

/** The usage of an item as it was noted. */
const usageOf = ({ usage }: BatchItemRecord): readonly Usage[] =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `completedItem` alone
  ((usage ?? []) as readonly { readonly unit: string; readonly quantity: number }[]).flatMap(({ unit, quantity }) =>
    isUnit(unit) ? [{ unit, quantity, confirmed: true }] : [],
  );

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

/**
 * Credits of each item. The whole is rounded once, so an item is charged what it adds to the rounded sum of those before it: the
 * items add up to the batch exactly (batches:tariff:per-item).
 */
const creditsOfItems = (
  { tariff }: Engine,
  operation: OperationRecord,
  items: readonly BatchItemRecord[],
): ReadonlyMap<string, number> => {
  const prices = findKindTariff(tariff, operation.model, operation.kind);
  const credits = new Map<string, number>();
  if (prices === null) return credits;
  const sum = new Map<UsageUnit, number>();
  let before = 0n;
  for (const item of items) {
    if (item.state !== 'completed') continue;
    addUsage(sum, usageOf(item));
    const micros = priceOf(prices, toUsage(sum), 'half_up');
    if (micros === null) break;
    credits.set(item.id, creditsFromMicros(micros - before));
    before = micros;
  }
  return credits;
};

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorTable, code);

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

/** The results of all items as JSON; answers that lie in blobs go from there to where the whole lies, chunk by chunk. */
export const resultOfItems = (
  engine: Engine,
  operation: OperationRecord,
  items: readonly BatchItemRecord[],
): WorkResult => {
  const credits = creditsOfItems(engine, operation, items);
  const bytes = items.reduce((sum, { answerBytes }) => sum + answerBytes, 0);
  const inRows = items.every(({ state, answer }) => state !== 'completed' || answer !== null);
  return inRows && bytes <= wholeBytesMax ? textOf(items, credits) : () => chunksOf(engine, items, credits);
};

/** The blobs that hold answers of items. */
export const answerBlobKeys = (items: readonly BatchItemRecord[]): readonly string[] =>
  items.flatMap(({ id, state, answer }) => (state === 'completed' && answer === null ? [itemBlobKey(id)] : []));
