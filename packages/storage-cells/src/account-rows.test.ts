import { tableColumns, writeOf, type Key, type Storage, type TableName } from '@tollgate/storage';
import { memoryStorage } from '@tollgate/storage-memory';
import { expect, test } from 'vitest';
import { sampleWith } from '../../testing/src/storage/sample-records.ts';
import { recordsOfAccount } from '../test/account-sample.ts';
import { keysOfWrites, putRecords, withRecords } from '../test/put-records.ts';
import { keyName } from './account-of-records.ts';
import { inCopyOrder, rowsToClear, rowsToCopy, type AccountRows } from './account-rows.ts';

const acme = recordsOfAccount('acme', null);
const others = recordsOfAccount('globex', null);

const pagesOf = async (storage: Storage, rowsOf: typeof rowsToCopy): Promise<readonly AccountRows[]> => {
  const pages: AccountRows[] = [];
  for await (const page of rowsOf(storage, 'acme')) pages.push(page);
  return pages;
};

const namesOf = (pages: readonly AccountRows[]): readonly string[] =>
  pages.flatMap(({ table, rows }) => rows.map(({ id }) => keyName({ table, id }))).toSorted();

const expected = keysOfWrites(acme).map(keyName).toSorted();

const isTable = (name: string): name is TableName => Object.hasOwn(tableColumns, name);

const allIn = async (storage: Storage): Promise<readonly string[]> => {
  const names: string[] = [];
  for (const table of Object.keys(tableColumns).filter(isTable))
    for (const { id } of await storage.scan(table, { limit: 100 })) names.push(keyName({ table, id }));
  return names.toSorted();
};

test('finds every record of an account once, to copy it and to clear it away, and none of another', async () => {
  const storage = await withRecords([...acme, ...others]);
  expect([...new Set(namesOf(await pagesOf(storage, rowsToCopy)))]).toEqual(expected);
  expect([...new Set(namesOf(await pagesOf(storage, rowsToClear)))]).toEqual(expected);
});

test('finds again whatever was copied, wherever copying ended', async () => {
  const pages = await pagesOf(await withRecords([...acme, ...others]), rowsToCopy);
  const copied = memoryStorage();
  for (const { table, rows } of pages) {
    await putRecords(
      copied,
      rows.map((row) => writeOf(table, row)),
    );
    expect([...new Set(namesOf(await pagesOf(copied, rowsToClear)))]).toEqual(await allIn(copied));
  }
});

test('finds again whatever is left, wherever clearing away ended', async () => {
  const storage = await withRecords(acme);
  for (const { table, rows } of await pagesOf(storage, rowsToClear)) {
    const keys = rows.map(({ id }): Key => ({ table, id }));
    await storage.transact(keys, (records) => ({
      writes: keys
        .filter(({ id }) => records.get(table, id) !== undefined)
        .map(({ id }) => ({ kind: 'delete', table, id, moved: true })),
      answer: undefined,
    }));
    expect([...new Set(namesOf(await pagesOf(storage, rowsToClear)))]).toEqual(await allIn(storage));
  }
  expect(await allIn(storage)).toEqual([]);
});

test('copies what was logged in the same order: what others are found by comes before these', () => {
  const keys: readonly Key[] = [
    { table: 'pendingBlob', id: '1' },
    { table: 'resource', id: '2' },
    { table: 'operation', id: '3' },
    { table: 'project', id: '4' },
  ];
  expect(inCopyOrder(keys)).toEqual(keys.toReversed());
});

const delivery = (at: number) =>
  writeOf(
    'delivery',
    sampleWith('delivery', `delivery-${at}`, { projectId: 'acme-project', createdAtMs: 1 + (at % 50) }),
  );

test('finds each of more deliveries than a page holds', async () => {
  const storage = await withRecords([...acme, ...Array.from({ length: 250 }, (_, at) => delivery(at))]);
  const found = (await pagesOf(storage, rowsToCopy))
    .filter(({ table }) => table === 'delivery')
    .map(({ rows }) => rows);
  expect(found.map(({ length }) => length)).toEqual([100, 100, 51]);
  expect(new Set(found.flat().map(({ id }) => id)).size).toBe(251);
});
