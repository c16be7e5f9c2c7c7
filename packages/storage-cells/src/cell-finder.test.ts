import { writeOf, type Key, type TableName, type Write } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { sampleWith } from '../../testing/src/storage/sample-records.ts';
import { withRecords } from '../test/put-records.ts';
import { createCellFinder } from './cell-finder.ts';
import type { Cell } from './cell.ts';
import { placeWrite } from './moved-place.ts';
import { movesWrite } from './moves-record.ts';

const record = (table: TableName, id: string): Write => writeOf(table, sampleWith(table, id, {}));

/** Three cells with some records, and the reads that each of them got; one of them may be away. */
const openFinder = async (records: Readonly<Record<string, readonly Write[]>>, away = '') => {
  const reads: string[] = [];
  const cellOf = async (name: string): Promise<Cell> => {
    const storage = await withRecords([record('setting', 'other'), ...(records[name] ?? [])]);
    const read: Cell['storage']['read'] = async (keys) => {
      reads.push(name);
      if (name === away) throw new Error('connect ECONNREFUSED');
      return storage.read(keys);
    };
    return { name, isResting: () => false, storage: { ...storage, read } };
  };
  const cells = await Promise.all(['a', 'b', 'c'].map(cellOf));
  const accounts = { acme: 'b', globex: 'c' };
  return { finder: createCellFinder({ cells, accounts, earlier: [] }), reads };
};

const operation: Key = { table: 'operation', id: 'o1' };
const project: Key = { table: 'project', id: 'p1' };

test('knows the cell of a blob beside a record of which it knows the cell, and asks none', async () => {
  const { finder, reads } = await openFinder({ b: [record('operation', 'o1')] });
  expect((await finder.ofRecord(operation))?.name).toBe('b');
  expect(new Set(reads).size).toBe(3);
  reads.length = 0;
  for (const id of ['answers/o1', 'o1/1', 'uploads/o1/0']) {
    const cell = finder.ofStep([{ table: 'pendingBlob', id }]);
    expect([id, cell instanceof Promise ? 'asks' : cell.name]).toEqual([id, 'b']);
  }
  expect(reads).toEqual([]);
});

test('asks in the cell of the account alone for a project that is there, and nothing about what is new beside it', async () => {
  const { finder, reads } = await openFinder({ b: [record('project', 'p1')] }, 'c');
  const cell = await finder.ofStep([{ table: 'account', id: 'acme' }, project, { table: 'apiKey', id: 'k1' }]);
  expect([cell.name, ...reads]).toEqual(['b', 'b']);
});

test('asks nothing about a record of an id of its own, though a cell is away', async () => {
  const { finder } = await openFinder({ b: [record('project', 'p1')] }, 'c');
  const fresh: Key = { table: 'operation', id: 'o2', fresh: true };
  expect((await finder.ofStep([fresh, project])).name).toBe('b');
});

test('hears of the accounts that came to a cell when it finds a record there', async () => {
  const moved = { accountId: 'acme', cell: 'a', serial: 1, moveId: 'm', earlier: ['b'] };
  const { finder, reads } = await openFinder({
    a: [record('operation', 'o1'), movesWrite({ epoch: 2, moves: [] }), placeWrite(moved)],
  });
  expect(finder.directory.hasMoved()).toBe(false);
  expect((await finder.ofRecord(operation))?.name).toBe('a');
  expect(finder.directory.hasMoved()).toBe(true);
  expect((await finder.ofAccount('acme')).name).toBe('a');
  reads.length = 0;
  // The cell was looked through by then, so that what was found there is known.
  expect((await finder.ofRecord(operation))?.name).toBe('a');
  expect(reads).toEqual([]);
});

test('says that a record is nowhere only where every cell was asked', async () => {
  expect(await (await openFinder({})).finder.ofRecord(operation)).toBeNull();
  await expect((await openFinder({}, 'c')).finder.ofRecord(operation)).rejects.toThrow('ECONNREFUSED');
});

test('refuses a step of two cells, whether or not it has to ask', async () => {
  const { finder } = await openFinder({ b: [record('project', 'p1')] });
  const accounts = ['acme', 'globex'].map((id): Key => ({ table: 'account', id }));
  expect(() => finder.ofStep(accounts)).toThrow('account acme in b, account globex in c');
  await expect(finder.ofStep([{ table: 'account', id: 'globex' }, project])).rejects.toThrow(
    'account globex in c, project p1 in b',
  );
});

const namesOf = (groups: ReadonlyMap<Cell, readonly Key[]>): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries([...groups].map(([{ name }, keys]) => [name, keys.map(({ id }) => id)]));

test('reads each key in the cell where it is, what is nowhere beside them, and all of one cell there', async () => {
  const records = {
    b: [record('project', 'p1'), record('operation', 'o1')],
    c: [record('operation', 'o2'), record('operation', 'o3')],
  };
  const { finder, reads } = await openFinder(records);
  const others = ['o2', 'o3', 'none'].map((id): Key => ({ table: 'operation', id }));
  const keys = [project, operation, ...others];
  expect(namesOf(await finder.ofRead(keys))).toEqual({ b: ['p1', 'o1', 'none'], c: ['o2', 'o3'] });
  reads.length = 0;
  expect(namesOf(await finder.ofRead([project, operation]))).toEqual({ b: ['p1', 'o1'] });
  // What is asked beside a known record is asked in its cell, though nothing is known of it.
  expect(namesOf(await finder.ofRead([operation, { table: 'webhook', id: 'w' }]))).toEqual({ b: ['o1', 'w'] });
  expect(reads).toEqual([]);
});
