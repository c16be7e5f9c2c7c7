import type { NetWrite, OperationRecord } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { sampleRecords } from '../../testing/src/storage/sample-records.ts';
import { dueStatements } from './due-rows.ts';

const operation = (change: Partial<OperationRecord>): OperationRecord => ({
  ...sampleRecords.operation('o'),
  ...change,
});
const inserted = (change: Partial<OperationRecord>): NetWrite => ({
  kind: 'insert',
  table: 'operation',
  record: operation(change),
});
const updated = (before: Partial<OperationRecord>, after: Partial<OperationRecord>): NetWrite => ({
  kind: 'update',
  table: 'operation',
  before: operation(before),
  record: operation(after),
});

/** What is added to each table. */
const added = (...writes: readonly NetWrite[]): readonly string[] =>
  dueStatements('tollgate', writes).map(({ text, copied }) => `${text.split(' ')[1]} ${copied}`);

const never = '9223372036854775807';

test('adds a row for an operation that opens, and for one that is due after its end', () => {
  expect(added(inserted({ dueAtMs: 5 }))).toEqual(['"tollgate".operation_open 5\to\n']);
  expect(added(inserted({ dueAtMs: null }))).toEqual([`"tollgate".operation_open ${never}\to\n`]);
  expect(added(inserted({ dueAtMs: 5, endedAtMs: 4 }))).toEqual(['"tollgate".operation_kept 5\to\n']);
  expect(added(inserted({ dueAtMs: null, endedAtMs: 4 }))).toEqual([]);
});

test('adds a row where the time of an operation falls or begins, and none where it rises', () => {
  expect(added(updated({ dueAtMs: 5 }, { dueAtMs: 4 }))).toEqual(['"tollgate".operation_open 4\to\n']);
  expect(added(updated({ dueAtMs: null }, { dueAtMs: 4 }))).toEqual(['"tollgate".operation_open 4\to\n']);
  for (const dueAtMs of [5, 6, null]) expect(added(updated({ dueAtMs: 5 }, { dueAtMs }))).toEqual([]);
  expect(added(updated({ dueAtMs: 5 }, { dueAtMs: 5, endedAtMs: 4 }))).toEqual([]);
  expect(added(updated({ dueAtMs: 5 }, { dueAtMs: 4, endedAtMs: 4 }))).toEqual(['"tollgate".operation_kept 4\to\n']);
  expect(added(updated({ dueAtMs: 5, endedAtMs: 4 }, { dueAtMs: 6, endedAtMs: 4 }))).toEqual([]);
  expect(added(updated({ dueAtMs: null, endedAtMs: 4 }, { dueAtMs: 6, endedAtMs: 4 }))).toEqual([
    '"tollgate".operation_kept 6\to\n',
  ]);
  // One that opens again is to be among the open ones.
  expect(added(updated({ dueAtMs: 5, endedAtMs: 4 }, { dueAtMs: 6 }))).toEqual(['"tollgate".operation_open 6\to\n']);
});

test('adds nothing for what is deleted and for other tables, and one insert a table', () => {
  const before = operation({ dueAtMs: 5 });
  expect(added({ kind: 'delete', table: 'operation', id: 'o', before })).toEqual([]);
  expect(added({ kind: 'insert', table: 'pendingBlob', record: { id: 'b', owner: null, dueAtMs: 5 } })).toEqual([]);
  expect(added(inserted({ dueAtMs: 5 }), inserted({ id: 'p', dueAtMs: 6 }))).toEqual([
    '"tollgate".operation_open 5\to\n6\tp\n',
  ]);
});
