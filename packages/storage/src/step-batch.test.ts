import { expect, test } from 'vitest';
import { createStepBatch } from './step-batch.ts';
import type { EntryRecord } from './ledger-record.ts';
import type { Key, Records, Write } from './storage.ts';

const setting = (id: string): Key => ({ table: 'setting', id });
const put = (id: string, value: string) => ({ kind: 'put', table: 'setting', record: { id, value } }) as const;
const entry = (id: string): EntryRecord => ({
  id,
  accountId: 'a',
  seq: 1,
  kind: 'deposit',
  amountMicros: 1n,
  operationId: null,
  tariffVersion: null,
  reference: null,
  balanceMicros: 1n,
  keyId: null,
  model: null,
  walletSeq: 1,
  createdAtMs: 1,
});
const append = (id: string) => ({ kind: 'append', table: 'entry', record: entry(id) }) as const;
const nothingStored = () => undefined;
const readValue = (records: Records, id: string) => records.get('setting', id)?.value;
const readA = (records: Records) => ({ writes: [], answer: readValue(records, 'a') });

test('shows each step what the steps before it wrote', () => {
  const batch = createStepBatch(7, nothingStored);
  batch.decide([setting('a')], () => ({ writes: [put('a', 'one')], answer: undefined }));
  const seen = batch.decide([setting('a')], (records, nowMs) => ({
    writes: [],
    answer: [records.get('setting', 'a')?.value, nowMs],
  }));
  expect(seen).toEqual(['one', 7]);
});

test('loads a key once for all steps', () => {
  const asked: string[] = [];
  const batch = createStepBatch(0, (key) => {
    asked.push(key.id);
    return { id: key.id, value: 'stored' };
  });
  for (let step = 0; step < 3; step += 1)
    batch.decide([setting('a'), setting('b')], () => ({ writes: [], answer: undefined }));
  expect(asked).toEqual(['a', 'b']);
});

test('nets the writes of all steps to one a row, in the order first touched', () => {
  const stored = new Map([['kept', { id: 'kept', value: '0' }]]);
  const batch = createStepBatch(0, (key) => stored.get(key.id));
  const keys = [setting('new'), setting('kept'), setting('gone')];
  batch.decide(keys, () => ({ writes: [put('new', '1'), put('kept', '1'), put('gone', '1')], answer: undefined }));
  batch.decide(keys, () => ({
    writes: [put('kept', '2'), { kind: 'delete', table: 'setting', id: 'gone' }],
    answer: undefined,
  }));
  expect(batch.netWrites()).toEqual([
    { kind: 'insert', table: 'setting', record: { id: 'new', value: '1' } },
    {
      kind: 'update',
      table: 'setting',
      record: { id: 'kept', value: '2' },
      before: { id: 'kept', value: '0' },
    },
  ]);
});

test('nets a deletion of a stored row, and an update where it is put again', () => {
  const batch = createStepBatch(0, (key) => ({ id: key.id, value: 'stored' }));
  batch.decide([setting('a'), setting('b')], () => ({
    writes: [
      { kind: 'delete', table: 'setting', id: 'a' },
      { kind: 'delete', table: 'setting', id: 'b' },
    ],
    answer: undefined,
  }));
  batch.decide([setting('b')], () => ({ writes: [put('b', 'again')], answer: undefined }));
  expect(batch.netWrites()).toEqual([
    { kind: 'delete', table: 'setting', id: 'a', before: { id: 'a', value: 'stored' } },
    {
      kind: 'update',
      table: 'setting',
      record: { id: 'b', value: 'again' },
      before: { id: 'b', value: 'stored' },
    },
  ]);
});

test('is left as it was by a step that throws', () => {
  const batch = createStepBatch(0, nothingStored);
  expect(() =>
    batch.decide([setting('a')], () => {
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(() =>
    batch.decide([setting('a')], () => ({ writes: [put('a', '1'), put('other', '1')], answer: undefined })),
  ).toThrow('write not declared: setting other');
  expect(batch.netWrites()).toEqual([]);
});

test('refuses to show or delete a record that was not declared', () => {
  const batch = createStepBatch(0, nothingStored);
  expect(() => batch.decide([setting('a')], (records) => ({ writes: [], answer: readValue(records, 'b') }))).toThrow(
    'record not declared: setting b',
  );
  expect(() =>
    batch.decide([setting('a')], () => ({
      writes: [{ kind: 'delete', table: 'setting', id: 'b' }],
      answer: undefined,
    })),
  ).toThrow('write not declared: setting b');
});

test('refuses a second append of a row, in the same step and in a later one', () => {
  const batch = createStepBatch(0, nothingStored);
  expect(() => batch.decide([], () => ({ writes: [append('e'), append('e')], answer: undefined }))).toThrow(
    'row appended twice: entry e',
  );
  batch.decide([], () => ({ writes: [append('e')], answer: undefined }));
  expect(() => batch.decide([], () => ({ writes: [append('e')], answer: undefined }))).toThrow(
    'row appended twice: entry e',
  );
  expect(batch.netWrites()).toEqual([{ kind: 'insert', table: 'entry', record: entry('e') }]);
});

test('refuses to change or delete a row of an append-only table, declared or not', () => {
  const batch = createStepBatch(0, () => entry('e'));
  const keys: Key[] = [{ table: 'entry', id: 'e' }];
  expect(() =>
    batch.decide(keys, () => ({ writes: [{ kind: 'put', table: 'entry', record: entry('e') }], answer: undefined })),
  ).toThrow('table is append-only: entry');
  expect(() =>
    batch.decide(keys, () => ({ writes: [{ kind: 'delete', table: 'entry', id: 'e' }], answer: undefined })),
  ).toThrow('table is append-only: entry');
});

test('deletes a row of an append-only table that is in another storage now', () => {
  const batch = createStepBatch(0, () => entry('e'));
  const write: Write = { kind: 'delete', table: 'entry', id: 'e', moved: true };
  expect(() => batch.decide([], () => ({ writes: [write], answer: undefined }))).toThrow('write not declared');
  batch.decide([{ table: 'entry', id: 'e' }], () => ({ writes: [write], answer: undefined }));
  expect(batch.netWrites()).toEqual([{ kind: 'delete', table: 'entry', id: 'e', before: entry('e') }]);
});

test('looks up a key that an earlier step only assumed absent', () => {
  const batch = createStepBatch(0, (key) => (key.fresh === true ? undefined : { id: key.id, value: 'stored' }));
  expect(batch.decide([{ ...setting('a'), fresh: true }], readA)).toBe(undefined);
  expect(batch.decide([setting('a')], readA)).toBe('stored');
  expect(batch.decide([{ ...setting('a'), fresh: true }], readA)).toBe('stored');
});

test('keeps what a step wrote under a fresh key when another step names it', () => {
  const batch = createStepBatch(0, (key) => (key.fresh === true ? undefined : { id: key.id, value: 'stored' }));
  batch.decide([{ ...setting('a'), fresh: true }], () => ({ writes: [put('a', 'mine')], answer: undefined }));
  const seen = batch.decide([setting('a')], (records) => ({
    writes: [],
    answer: records.get('setting', 'a')?.value,
  }));
  expect(seen).toBe('mine');
  expect(batch.netWrites()).toEqual([{ kind: 'insert', table: 'setting', record: { id: 'a', value: 'mine' } }]);
});
