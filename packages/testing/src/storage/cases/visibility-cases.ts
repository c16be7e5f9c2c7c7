import assert from 'node:assert/strict';
import { indexes, indexSpec, type IndexName, type Storage, type TableName, type Write } from '@tollgate/storage';
import {
  changeableTables,
  countedRecord,
  countsInStep,
  countsRead,
  putCount,
  tables,
  warm,
} from '../counted-record.ts';
import { sampleRecords, sampleWith, writeOf } from '../sample-records.ts';
import type { StorageCase } from '../storage-case.ts';
import { addRows, commit, increment, lookWhile, readRecord, readSetting } from '../storage-steps.ts';

const assertCount = async (door: Storage, table: TableName, count: number): Promise<void> => {
  const keys = [{ table, id: 'seen' }];
  assert.deepEqual(await countsRead(door, keys), [count], `read of ${table}`);
  assert.deepEqual(await countsInStep(door, keys), [count], `step on ${table}`);
};

/** Every change of one door is seen by the other, which has looked before. */
const showsChanges = async (storage: Storage, door: Storage, table: TableName): Promise<void> => {
  const key = { table, id: 'seen' };
  await warm(door, [key]);
  const changes: readonly (readonly [Write, number])[] = [
    [putCount(key, 1), 1],
    [putCount(key, 2), 2],
    [{ kind: 'delete', ...key }, 0],
    [putCount(key, 3), 3],
  ];
  for (const [write, count] of changes) {
    await commit(storage, [write]);
    await assertCount(door, table, count);
  }
};

const indexNames = Object.keys(indexes).filter((name): name is IndexName => Object.hasOwn(indexes, name));

/** A row that the index lists under `mine`. */
const listedRow = (name: IndexName, id: string) => {
  const { table, of, whereNotNull } = indexSpec(name);
  const fields: Record<string, unknown> = {};
  if (of !== null) fields[of] = of === 'state' ? 'uncertain' : 'mine';
  if (whereNotNull !== undefined) fields[whereNotNull] = whereNotNull.endsWith('Micros') ? 7n : 7;
  return sampleWith(table, id, fields);
};

const listedIds = async (door: Storage, name: IndexName): Promise<readonly string[]> => {
  const of = indexSpec(name).of === 'state' ? 'uncertain' : 'mine';
  return (await door.list(name, { of, limit: 100 })).map(({ id }) => id);
};

/** A write that no storage may make. */
const refusedWrite: Write = writeOf('deposit', { ...sampleRecords.deposit('bad'), amountMicros: 2n * 10n ** 15n });

/** Steps that write every table and are refused, each with a number of its own. */
const sendRefused = async (storage: Storage): Promise<void> => {
  for (let count = 10; count < 40; count += 1) {
    const writes = [...changeableTables.map((table) => putCount({ table, id: 'clean' }, count)), refusedWrite];
    await assert.rejects(commit(storage, writes));
  }
};

export const visibilityCases: readonly StorageCase[] = [
  {
    promise: 'S4',
    name: 'shows a door that has looked before every change of another, in every table',
    run: async ({ storage, other }) => {
      const door = await other();
      for (const table of changeableTables) await showsChanges(storage, door, table);
      for (const table of tables.filter((one) => !changeableTables.includes(one))) {
        assert.equal(await readRecord(door, table, 'added'), undefined);
        await addRows(storage, table, [countedRecord(table, 'added', 2)]);
        assert.deepEqual(await readRecord(door, table, 'added'), countedRecord(table, 'added', 2));
      }
    },
  },
  {
    promise: 'S4',
    name: 'lists for a door that has looked before what another wrote, in every index',
    run: async ({ storage, other }) => {
      const door = await other();
      for (const name of indexNames) {
        const { table } = indexSpec(name);
        const before = await listedIds(door, name);
        await addRows(storage, table, [listedRow(name, `listed-${name}`)]);
        assert.deepEqual(
          (await listedIds(door, name)).filter((id) => !before.includes(id)),
          [`listed-${name}`],
          name,
        );
      }
    },
  },
  {
    promise: 'S6',
    name: 'has every one of many commits in place, for a door that has looked before, by the time it resolves',
    run: async ({ storage, other }) => {
      const door = await other();
      for (let count = 1; count <= 40; count += 1) {
        await increment(storage, 'acknowledged');
        assert.equal(await readSetting(door, 'acknowledged'), String(count));
      }
    },
  },
  {
    promise: 'S5',
    name: 'shows nothing of a step that is refused, in any table, while it is carried',
    run: async ({ storage, other }) => {
      const door = await other();
      const keys = changeableTables.map((table) => ({ table, id: 'clean' }));
      await commit(
        storage,
        keys.map((key) => putCount(key, 4)),
      );
      await lookWhile(sendRefused(storage), async () => {
        const counts = await countsRead(door, keys);
        assert.deepEqual(new Set(counts), new Set([4]), 'a read shows what was never committed');
        // A list looks in a way of its own.
        const listed = await door.list('accounts', { of: '', limit: 1 });
        assert.deepEqual(listed, [countedRecord('account', 'clean', 4)], 'a list shows what was never committed');
      });
      assert.deepEqual(new Set(await countsInStep(door, keys)), new Set([4]));
    },
  },
];
