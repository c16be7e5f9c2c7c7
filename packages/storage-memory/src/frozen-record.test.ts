import type { WalletRecord } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { frozenRecord } from './frozen-record.ts';

const anomaly = (detail: unknown) => ({ id: 'a', operationId: 'o', accountId: 'w', code: 'c', detail, createdAtMs: 1 });
const wallet: WalletRecord = {
  id: 'w',
  balanceMicros: 5n,
  reservedMicros: 5n,
  seq: 1,
  entrySeq: 1,
  remainderPicos: 0,
  purgedPicos: 0,
};

test('copies a record so that neither the giver nor the taker can change it', () => {
  const detail = { list: [{ deep: 1 }] };
  const record = frozenRecord('anomaly', anomaly(detail));
  detail.list.push({ deep: 2 });
  expect(record.detail).toEqual({ list: [{ deep: 1 }] });
  expect(() => Object.assign(record, { code: 'other' })).toThrow(TypeError);
  const [first] = (record.detail as { list: object[] }).list;
  expect(() => Object.assign(first ?? {}, { deep: 3 })).toThrow(TypeError);
});

test.each([
  ['undefined', { a: undefined }],
  ['a bigint', [1n]],
  ['a date', new Date(0)],
  ['a map', new Map()],
  ['NaN', Number.NaN],
  ['minus zero', { a: -0 }],
  ['a function', () => 1],
])('refuses JSON that a database could not give back: %s', (_, detail) => {
  expect(() => frozenRecord('anomaly', anomaly(detail))).toThrow('not a JSON');
});

test('refuses JSON that holds itself', () => {
  const circle: unknown[] = [];
  circle.push(circle);
  expect(() => frozenRecord('anomaly', anomaly(circle))).toThrow('nested too deeply');
});

test('keeps a key named __proto__ as a key', () => {
  const detail: unknown = JSON.parse('{"__proto__":{"a":1}}');
  expect(JSON.stringify(frozenRecord('anomaly', anomaly(detail)).detail)).toBe('{"__proto__":{"a":1}}');
});

test('refuses a field that the table does not have', () => {
  expect(() => frozenRecord('wallet', { ...wallet, color: 'red' } as WalletRecord)).toThrow(
    'wallet has no field color',
  );
});

test('refuses a field of another kind, or none at all', () => {
  expect(() => frozenRecord('wallet', { ...wallet, seq: -0 })).toThrow('wallet.seq is not of kind integer');
  expect(() => frozenRecord('setting', { id: 's' } as never)).toThrow('setting.value is not of kind text');
});

test.each([
  [5n, 6n],
  [5n, -1n],
  [-1n, -1n],
])('refuses a wallet with a balance of %s and %s of it reserved', (balanceMicros, reservedMicros) => {
  expect(() => frozenRecord('wallet', { ...wallet, balanceMicros, reservedMicros })).toThrow('reserved');
});

test('keeps JSON as deep as clients may write it, inside of a record', () => {
  const text = `${'{"a":'.repeat(120)}1${'}'.repeat(120)}`;
  expect(JSON.stringify(frozenRecord('anomaly', anomaly(JSON.parse(text))).detail)).toBe(text);
});

test('takes no text that a database could not give back exactly', () => {
  expect(() => frozenRecord('anomaly', { ...anomaly({}), code: 'a\ud800b' })).toThrow(
    'anomaly.code is not of kind text',
  );
  expect(frozenRecord('anomaly', { ...anomaly({}), code: '😀' }).code).toBe('😀');
});
