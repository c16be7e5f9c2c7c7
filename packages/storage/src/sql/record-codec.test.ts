import { describe, expect, test } from 'vitest';
import { amountMicrosMax } from '../table-columns.ts';
import { recordOfTable } from '../typed-records.ts';
import { createRecordCodec, everyColumn, placesOf } from './record-codec.ts';

const setting = createRecordCodec('setting');
const deposit = createRecordCodec('deposit');
const wallet = createRecordCodec('wallet');
const tariff = createRecordCodec('tariff');

const walletOf = (balanceMicros: bigint, reservedMicros: bigint) => ({
  id: 'a',
  balanceMicros,
  reservedMicros,
  seq: 1,
  entrySeq: 1,
  remainderPicos: 0,
  purgedPicos: 0,
});

describe('createRecordCodec', () => {
  test('has the columns of the table, the id first, by their SQL names', () => {
    expect(deposit.columns.map(({ name }) => name)).toEqual(['id', 'entry_id', 'amount_micros']);
  });

  test('refuses a text with half a surrogate pair, and keeps it within JSON', () => {
    expect(() => setting.encode({ id: 'a', value: '\ud83d' })).toThrow('setting.value is not of kind text');
    const record = { id: 'a', body: { text: '\ud83d' }, createdAtMs: 1 };
    const row = tariff.encode(record);
    expect(row[1]).toBe(String.raw`{"text":"\ud83d"}`);
    expect(tariff.decode(row.map(String))).toEqual(record);
  });

  test('refuses an amount beyond its range, and a number that is not whole', () => {
    expect(() => deposit.encode({ id: 'a', entryId: 'e', amountMicros: amountMicrosMax + 1n })).toThrow('amountMicros');
    for (const createdAtMs of [0.5, Number.NaN, -0, 2 ** 53])
      expect(() => tariff.encode({ id: 'a', body: {}, createdAtMs })).toThrow('createdAtMs');
  });

  test('refuses a wallet that reserves more than it has, when it is made and when it is changed', () => {
    expect(() => wallet.encode(walletOf(1n, 2n))).toThrow('0 ≤ reservedMicros ≤ balanceMicros');
    expect(() => wallet.encode(walletOf(1n, -1n))).toThrow('0 ≤ reservedMicros ≤ balanceMicros');
    expect(() => wallet.changed(walletOf(2n, 1n), walletOf(2n, 3n))).toThrow('0 ≤ reservedMicros ≤ balanceMicros');
  });

  test('names the columns that changed: JSON made anew with the same content has not', () => {
    expect(placesOf(wallet.changed(walletOf(2n, 1n), walletOf(3n, 1n)))).toEqual([1]);
    const record = { id: 'a', body: { one: [1] }, createdAtMs: 1 };
    expect(placesOf(tariff.changed(record, structuredClone(record)))).toEqual([]);
    const change = (body: unknown, other: unknown) =>
      placesOf(tariff.changed({ ...record, body }, { ...record, body: other }));
    expect(change([], [{ unit: 'images' }])).toEqual([1]);
    expect(change([1], [2])).toEqual([1]);
    expect(change(null, { a: 1 })).toEqual([1]);
    expect(change({ a: 1 }, { a: 1 })).toEqual([]);
    const quick = createRecordCodec('tariff', { comparesJson: false });
    expect(placesOf(quick.changed(record, structuredClone(record)))).toEqual([1]);
  });

  test('tells the columns of a table with more than 32 of them apart', () => {
    const operation = createRecordCodec('operation');
    const places = operation.columns.map((_, at) => at);
    expect(places.length).toBeGreaterThan(32);
    expect(placesOf(everyColumn(operation))).toEqual(places.slice(1));
    const row = operation.placeholder('a').map((value) => (value === null ? null : String(value)));
    const record = recordOfTable<'operation'>(operation.decode(row));
    const changed = operation.changed(record, { ...record, projectId: 'p', servedTier: 'flex' });
    expect(placesOf(changed).map((at) => operation.columns[at]?.field)).toEqual(['projectId', 'servedTier']);
  });

  test('returns a record as it was from the text of its row', () => {
    const record = { id: 'a', entryId: 'e', amountMicros: -amountMicrosMax };
    expect(deposit.decode(deposit.encode(record).map(String))).toEqual(record);
    expect(deposit.decode(['a', 'e', -1_000_000_000_000_000])).toEqual(record);
    expect(() => deposit.decode(['a', 'e', Uint8Array.of(1)])).toThrow('cannot hold');
  });

  test('makes placeholders that its own columns take', () => {
    expect(
      createRecordCodec('usageLine').decode(createRecordCodec('usageLine').placeholder('a').map(String)),
    ).toMatchObject({
      id: 'a',
      units: null,
      chargedMicros: 0n,
    });
  });
});
