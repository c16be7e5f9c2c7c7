import assert from 'node:assert/strict';
import type { Key, Storage, TableName, Write } from '@tollgate/storage';
import {
  bump,
  changeableTables,
  countOf,
  countedRecord,
  countsInStep,
  countsRead,
  putCount,
  tables,
  warm,
} from '../counted-record.ts';
import { sampleRecords, writeOf } from '../sample-records.ts';
import type { StorageCase, StorageWorld } from '../storage-case.ts';
import { commit, lookWhile, together } from '../storage-steps.ts';

const rounds = 2;

interface Doors {
  readonly doors: readonly [Storage, Storage];
  readonly at: (place: number) => Storage;
}

const doorsOf = async ({ storage, other }: StorageWorld): Promise<Doors> => {
  const doors = [storage, await other()] as const;
  return { doors, at: (place) => doors[place % 2] ?? storage };
};

/** A table with itself and with two others, so that rules over two tables are broken as well as over one. */
const pairs: readonly (readonly [TableName, TableName])[] = changeableTables.flatMap((table, at) =>
  [0, 1, 5].map((step) => [table, changeableTables[(at + step) % changeableTables.length] ?? table] as const),
);

/** Deletes mine where both are there: one of them must stay. */
const leaveOne = (door: Storage, mine: Key, theirs: Key): Promise<boolean> =>
  door.transact([mine, theirs], (records) => {
    const both = records.get(mine.table, mine.id) !== undefined && records.get(theirs.table, theirs.id) !== undefined;
    return { writes: both ? [{ kind: 'delete', table: mine.table, id: mine.id }] : [], answer: both };
  });

/** Creates mine where theirs is absent: one of them at the most may be there. */
const takeIfFree = (door: Storage, mine: Key, theirs: Key): Promise<boolean> =>
  door.transact([mine, theirs], (records) => {
    const free = records.get(theirs.table, theirs.id) === undefined;
    return { writes: free ? [putCount(mine, 1)] : [], answer: free };
  });

/** Creates the record with this number where it is absent; returns the number that it then has. */
const take = (door: Storage, key: Key, count: number): Promise<number> =>
  door.transact([key], (records) => {
    const present = records.get(key.table, key.id);
    return present === undefined
      ? { writes: [putCount(key, count)], answer: count }
      : { writes: [], answer: countOf(key.table, present) };
  });

const keepsChanges = async ({ doors, at }: Doors, table: TableName): Promise<void> => {
  const key = { table, id: 'raced' };
  await commit(doors[0], [putCount(key, 1)]);
  for (const door of doors) await warm(door, [key]);
  const counts = await together(6, (place) => bump(at(place), key));
  assert.deepEqual(
    counts.toSorted((a, b) => a - b),
    [2, 3, 4, 5, 6, 7],
    table,
  );
  for (const door of doors) assert.deepEqual(await countsRead(door, [key]), [7], table);
};

const hasOneWinner = async ({ doors, at }: Doors, table: TableName): Promise<void> => {
  const key = { table, id: 'taken' };
  for (const door of doors) await warm(door, [key]);
  const counts = await together(4, (place) => take(at(place), key, place + 1));
  assert.equal(new Set(counts).size, 1, `${table}: ${counts.join()}`);
  for (const door of doors) assert.deepEqual(await countsRead(door, [key]), [counts[0]], table);
};

/** Both doors see both keys, and each changes its own. */
const keepsRule = async (
  { doors }: Doors,
  [a, b]: readonly [Key, Key],
  change: typeof leaveOne,
  seed: readonly Write[],
): Promise<void> => {
  if (seed.length > 0) await commit(doors[0], seed);
  for (const door of doors) await warm(door, [a, b]);
  const changed = await Promise.all([change(doors[0], a, b), change(doors[1], b, a)]);
  assert.equal(changed.filter(Boolean).length, 1, `${a.table} and ${b.table}`);
};

const eachPair = async (
  world: StorageWorld,
  body: (doors: Doors, keys: readonly [Key, Key]) => Promise<void>,
): Promise<void> => {
  const doors = await doorsOf(world);
  for (const [mine, theirs] of pairs)
    for (let round = 0; round < rounds; round += 1) {
      const name = `${mine}-${theirs}-${round}`;
      await body(doors, [
        { table: mine, id: `a-${name}` },
        { table: theirs, id: `b-${name}` },
      ]);
    }
};

/** A step of another door comes while this one is decided. */
const carriesOvertaken = async ({ doors }: Doors, table: TableName): Promise<void> => {
  const key = { table, id: 'overtaken' };
  await commit(doors[0], [putCount(key, 1)]);
  for (const door of doors) await warm(door, [key]);
  let theirs: Promise<number> | undefined;
  const mine = await doors[0].transact([key], (records) => {
    theirs ??= bump(doors[1], key);
    const count = countOf(table, records.get(table, key.id)) + 1;
    return { writes: [putCount(key, count)], answer: count };
  });
  assert.deepEqual(new Set([mine, await theirs]), new Set([2, 3]), table);
  assert.deepEqual(await countsRead(doors[1], [key]), [3], table);
};

const everyKey: readonly Key[] = changeableTables.map((table) => ({ table, id: 'every' }));

const tooMuch: Write = {
  kind: 'put',
  table: 'deposit',
  record: { ...sampleRecords.deposit('bad'), amountMicros: 2n * 10n ** 15n },
};

/** Changes the first half of all records and deletes the rest, with new rows and a bad write at this place. */
const badWrites = (at: number): readonly Write[] => {
  const half = everyKey.length / 2;
  const changes = everyKey.map((key, place): Write =>
    place < half ? putCount(key, 9) : { kind: 'delete', table: key.table, id: key.id },
  );
  const added = tables.map((table) => writeOf(table, sampleRecords[table]('added')));
  const writes = [...changes, ...added];
  return [...writes.slice(0, at), tooMuch, ...writes.slice(at)];
};

const keepsAllOrNone = async ({ storage, other }: StorageWorld): Promise<void> => {
  const doors = [storage, await other()];
  await commit(
    storage,
    everyKey.map((key) => putCount(key, 4)),
  );
  const addedKeys = tables.map((table) => ({ table, id: 'added' }));
  for (const at of [0, 1, 30, badWrites(0).length - 1]) {
    await assert.rejects(commit(storage, badWrites(at)), `the bad write at ${at}`);
    for (const door of doors) {
      const records = await door.read([...everyKey, ...addedKeys]);
      for (const { table, id } of everyKey)
        assert.deepEqual(records.get(table, id), countedRecord(table, id, 4), `${table}, the bad write at ${at}`);
      for (const { table, id } of addedKeys)
        assert.equal(records.get(table, id), undefined, `${table}, the bad write at ${at}`);
    }
  }
};

/** Changes all records together in one door, and looks at all of them through the other meanwhile. */
const looksWhileChanging = async (
  { storage, other }: StorageWorld,
  look: (door: Storage, keys: readonly Key[]) => Promise<readonly number[]>,
): Promise<void> => {
  const door = await other();
  const put = (count: number) =>
    commit(
      storage,
      everyKey.map((key) => putCount(key, count)),
    );
  await put(1);
  const changeAll = async (): Promise<void> => {
    for (let count = 2; count <= 12; count += 1) await put(count);
  };
  await lookWhile(changeAll(), async () => {
    const counts = await look(door, everyKey);
    const half = counts.findIndex((count) => count !== counts[0]);
    assert.equal(half, -1, `${everyKey[0]?.table} has ${counts[0]}, ${everyKey[half]?.table} ${counts[half]}`);
  });
  assert.deepEqual(new Set(await look(door, everyKey)), new Set([12]));
};

export const everyTableCases: readonly StorageCase[] = [
  {
    promise: 'S2',
    name: 'keeps every change of a record that two doors have read before, in every table',
    run: async (world) => {
      const doors = await doorsOf(world);
      for (const table of changeableTables) await keepsChanges(doors, table);
    },
  },
  {
    promise: 'S3',
    name: 'gives a key that two doors found absent to one of them, in every table',
    run: async (world) => {
      const doors = await doorsOf(world);
      for (const table of changeableTables) await hasOneWinner(doors, table);
    },
  },
  {
    promise: 'S2',
    name: 'lets no two steps break a rule over records of which each only reads one, in every table',
    run: (world) =>
      eachPair(world, (doors, keys) =>
        keepsRule(
          doors,
          keys,
          leaveOne,
          keys.map((key) => putCount(key, 1)),
        ),
      ),
  },
  {
    promise: 'S2',
    name: 'lets no two steps break a rule over absent keys of which each only reads one, in every table',
    run: (world) => eachPair(world, (doors, keys) => keepsRule(doors, keys, takeIfFree, [])),
  },
  {
    promise: 'S2',
    name: 'loses neither of two steps of which one comes while the other is decided, in every table',
    run: async (world) => {
      const doors = await doorsOf(world);
      for (const table of changeableTables) await carriesOvertaken(doors, table);
    },
  },
  {
    promise: 'S1',
    name: 'makes none of the writes of a step over every table when one of them is bad',
    run: keepsAllOrNone,
  },
  {
    promise: 'S1',
    name: 'shows a step the writes of another over every table all at once',
    run: (world) => looksWhileChanging(world, countsInStep),
  },
  {
    promise: 'S19',
    name: 'reads the writes of a step over every table all at once',
    run: (world) => looksWhileChanging(world, countsRead),
  },
];
