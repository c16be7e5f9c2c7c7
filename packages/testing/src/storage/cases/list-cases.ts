import assert from 'node:assert/strict';
import {
  indexes,
  idCharsMax,
  indexSpec,
  listRowsMax,
  type AnyIndexSpec,
  type IndexCursor,
  type IndexName,
  type Storage,
  type Tables,
  type TableName,
} from '@tollgate/storage';
import { sampleRecords, sampleWith } from '../sample-records.ts';
import type { StorageCase, StorageWorld } from '../storage-case.ts';
import { addRows } from '../storage-steps.ts';

type Row = Tables[TableName];

const indexNames = Object.keys(indexes).filter((name): name is IndexName => Object.hasOwn(indexes, name));

const fieldOf = (row: Row, name: string): unknown => Reflect.get(row, name);

/** A value that a column with a condition can have when it is not null. */
const present = (name: string): unknown => (name.endsWith('Micros') ? 7n : 7);

/** The value that the rows of an index share; of the text columns only `state` is restricted. */
const sharedOf = (spec: AnyIndexSpec): string => (spec.of === 'state' ? 'uncertain' : 'mine');

/** Two dozen rows in mixed order, with ties, half of them of another owner and some that the index must leave out. */
const rowsFor = (spec: AnyIndexSpec): readonly Row[] =>
  Array.from({ length: 24 }, (_, at) => {
    const place = (at * 7) % 24;
    const fields: Record<string, unknown> = { [spec.order]: 1_000 + Math.floor(place / 3) };
    if (spec.of !== null)
      fields[spec.of] = at % 3 === 0 ? (spec.of === 'state' ? 'reserved' : 'theirs') : sharedOf(spec);
    const odd = at % 5 === 0;
    if (spec.whereNull !== undefined) fields[spec.whereNull] = odd ? present(spec.whereNull) : null;
    if (spec.whereNotNull !== undefined) fields[spec.whereNotNull] = odd ? null : present(spec.whereNotNull);
    return sampleWith(spec.table, `row${String(place).padStart(2, '0')}`, fields);
  });

const newestFirst =
  (spec: AnyIndexSpec) =>
  (a: Row, b: Row): number =>
    Number(fieldOf(b, spec.order)) - Number(fieldOf(a, spec.order)) || (a.id < b.id ? 1 : -1);

const expectedOf = (spec: AnyIndexSpec, rows: readonly Row[]): readonly Row[] =>
  rows
    .filter((row) => spec.of === null || fieldOf(row, spec.of) === sharedOf(spec))
    .filter((row) => spec.whereNull === undefined || fieldOf(row, spec.whereNull) === null)
    .filter((row) => spec.whereNotNull === undefined || fieldOf(row, spec.whereNotNull) !== null)
    .toSorted(newestFirst(spec));

/** All rows of an index, page by page. */
const pagesOf = async (storage: Storage, name: IndexName, limit: number): Promise<readonly (readonly Row[])[]> => {
  const spec = indexSpec(name);
  const pages: (readonly Row[])[] = [];
  let after: IndexCursor | undefined;
  for (;;) {
    const page: readonly Row[] = await storage.list(name, { of: sharedOf(spec), limit, ...(after && { after }) });
    pages.push(page);
    const last = page.at(-1);
    // A page that is not full is the last; a hundred pages of a wrong storage are enough.
    if (last === undefined || page.length < limit || pages.length > 100) return pages;
    after = { order: Number(fieldOf(last, spec.order)), id: last.id };
  }
};

const listsIndex = async ({ storage }: StorageWorld, name: IndexName): Promise<void> => {
  const spec = indexSpec(name);
  assert.deepEqual(await storage.list(name, { of: sharedOf(spec), limit: 10 }), []);
  const rows = rowsFor(spec);
  await addRows(storage, spec.table, rows);
  const expected = expectedOf(spec, rows);
  assert.deepEqual(await storage.list(name, { of: sharedOf(spec), limit: listRowsMax }), expected);
  for (const limit of [1, 4]) {
    const pages = await pagesOf(storage, name, limit);
    assert.deepEqual(pages.flat(), expected, `pages of ${limit}`);
    assert.ok(pages.every((page) => page.length <= limit));
  }
  if (spec.of !== null) assert.deepEqual(await storage.list(name, { of: 'nobody', limit: 10 }), []);
};

const long = (end: string): string => `${'x'.repeat(idCharsMax - 1)}${end}`;

/** Values that are the same but for their last character, by which an index lists; a state is one of a few. */
const listsLongest = async (storage: Storage, door: Storage, name: IndexName): Promise<void> => {
  const spec = indexSpec(name);
  if (spec.of === null || spec.of === 'state') return;
  const rows = ['1', '2'].map((end) => {
    const fields: Record<string, unknown> = { [spec.of ?? '']: long(end) };
    if (spec.whereNotNull !== undefined) fields[spec.whereNotNull] = present(spec.whereNotNull);
    return sampleWith(spec.table, long(end), fields);
  });
  // They take the place of those by which another index of the table was tried.
  await addRows(storage, spec.table, rows);
  for (const [at, end] of ['1', '2'].entries()) {
    const listed = await door.list(name, { of: long(end), limit: 10 });
    assert.deepEqual(listed, [rows[at]], name);
  }
};

export const listCases: readonly StorageCase[] = [
  ...indexNames.map((name) => ({
    promise: 'S27' as const,
    name: `lists an index newest first, page by page, and only its rows: ${name}`,
    run: (world: StorageWorld) => listsIndex(world, name),
  })),
  {
    promise: 'S23',
    name: 'lists by a value of the greatest length, and ids of that length, in every index',
    run: async ({ storage, other }) => {
      const door = await other();
      for (const name of indexNames) await listsLongest(storage, door, name);
    },
  },
  {
    promise: 'S27',
    name: 'moves a row between indexes as it changes',
    run: async ({ storage }) => {
      const open = sampleRecords.operation('o');
      const list = (name: IndexName, of: string) => storage.list(name, { of, limit: 10 });
      await addRows(storage, 'operation', [open]);
      assert.deepEqual(await list('operationsByState', 'processing'), [open]);
      const pending = { ...open, state: 'uncertain' as const, pendingMicros: 5n };
      await addRows(storage, 'operation', [pending]);
      assert.deepEqual(await list('operationsByState', 'processing'), []);
      assert.deepEqual(await list('pendingOperationsByAccount', 'account'), [pending]);
      const ended = { ...open, state: 'completed' as const, endedAtMs: 9 };
      await addRows(storage, 'operation', [ended]);
      assert.deepEqual(await list('pendingOperationsByAccount', 'account'), []);
      assert.deepEqual(await list('operationsByState', 'completed'), []);
      assert.deepEqual(await list('operationsByAccount', 'account'), [ended]);
    },
  },
  {
    promise: 'S29',
    name: `lists at most ${listRowsMax} rows and refuses any other limit`,
    run: async ({ storage }) => {
      const rows = Array.from({ length: listRowsMax + 1 }, (_, at) => sampleRecords.account(`a${at}`));
      await addRows(storage, 'account', rows);
      assert.equal((await storage.list('accounts', { of: '', limit: listRowsMax })).length, listRowsMax);
      for (const limit of [0, -1, 1.5, listRowsMax + 1, Number.NaN])
        await assert.rejects(storage.list('accounts', { of: '', limit }), `limit ${limit}`);
    },
  },
];
