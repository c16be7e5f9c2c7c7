import assert from 'node:assert/strict';
import {
  listRowsMax,
  tableColumns,
  type ScanQuery,
  type Storage,
  type TableName,
  type Tables,
} from '@tollgate/storage';
import { sampleWith } from '../sample-records.ts';
import type { StorageCase, StorageWorld } from '../storage-case.ts';
import { addRows } from '../storage-steps.ts';

type Row = Tables[TableName];

const tables = Object.keys(tableColumns).filter((name): name is TableName => Object.hasOwn(tableColumns, name));

/** A field that names the owner of a row, where the table has one. */
const ownerField = (table: TableName): string | null =>
  ['accountId', 'projectId', 'operationId'].find((field) => Object.hasOwn(tableColumns[table], field)) ?? null;

const owners = ['mine', 'mine too', 'theirs'];

/** Rows in mixed order. */
const rowsFor = (table: TableName, field: string | null): readonly Row[] =>
  Array.from({ length: 12 }, (_, at) => {
    const place = (at * 7) % 12;
    const fields = field === null ? {} : { [field]: owners[place % owners.length] };
    return sampleWith(table, `scan${String(place).padStart(2, '0')}`, fields);
  });

/** All rows that a scan finds from a place on, page by page. */
const pagesOf = async (storage: Storage, table: TableName, query: ScanQuery): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  let after = query.after;
  for (let pages = 0; pages < 100; pages += 1) {
    const page: readonly Row[] = await storage.scan(table, { ...query, after });
    assert.ok(page.length <= query.limit, `a page of ${query.limit} has ${page.length} rows`);
    rows.push(...page);
    after = page.at(-1)?.id;
    if (after === undefined || page.length < query.limit) break;
  }
  return rows;
};

const scansTable = async ({ storage, other }: StorageWorld, table: TableName): Promise<void> => {
  const field = ownerField(table);
  const rows = rowsFor(table, field);
  await addRows(storage, table, rows);
  const door = await other();
  const expected = rows.toSorted((one, another) => (one.id < another.id ? -1 : 1));
  const after = 'scan';
  for (const limit of [1, 5, 12, listRowsMax])
    assert.deepEqual(await pagesOf(door, table, { after, limit }), expected, `pages of ${limit}`);
  assert.deepEqual(await door.scan(table, { after: 'scan03', limit: 2 }), expected.slice(4, 6));
  if (field === null) return;
  for (const value of [...owners, 'nobody']) {
    const own: readonly Row[] = expected.filter((row) => Reflect.get(row, field) === value);
    assert.deepEqual(await pagesOf(door, table, { after, limit: 3, where: { field, value } }), own, value);
  }
};

export const scanCases: readonly StorageCase[] = [
  ...tables.map((table) => ({
    promise: 'S46' as const,
    name: `scans a table by rising id, page by page, and only the rows asked for: ${table}`,
    run: (world: StorageWorld) => scansTable(world, table),
  })),
  {
    promise: 'S46',
    name: `scans at most ${listRowsMax} rows, by a field of text, and refuses any other`,
    run: async ({ storage }) => {
      for (const limit of [0, listRowsMax + 1, 1.5])
        await assert.rejects(storage.scan('wallet', { limit }), RangeError, `a limit of ${limit}`);
      for (const field of ['balanceMicros', 'accountId', '__proto__'])
        await assert.rejects(storage.scan('wallet', { limit: 1, where: { field, value: '1' } }), RangeError, field);
    },
  },
];
