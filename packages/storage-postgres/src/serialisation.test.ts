import type { Key, Storage, TableName, Write } from '@tollgate/storage';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase, type TestDatabase } from '../../../test/postgres-server.ts';
import { sampleRecords, writeOf } from '../../testing/src/storage/sample-records.ts';
import { postgresStorage } from './postgres-storage.ts';
import { tableNames } from './table-statements.ts';

let database: TestDatabase;
let doors: readonly [Storage, Storage];
beforeAll(async () => {
  database = await testDatabase();
  const options = { connectionString: database.url };
  doors = [await postgresStorage(options), await postgresStorage(options)];
});
afterAll(async () => {
  await Promise.all(doors.map((door) => door.close()));
  await database.drop();
});

const rounds = 5;
const putTables = tableNames.filter((table) => table !== 'entry' && table !== 'anomaly');
const keyOf = (table: TableName, id: string): Key => ({ table, id });
const put = (table: TableName, id: string): Write => writeOf(table, sampleRecords[table](id));

const seed = (keys: readonly Key[]): Promise<void> =>
  doors[0].transact(keys, () => ({ writes: keys.map(({ table, id }) => put(table, id)), answer: undefined }));

/** Deletes mine if both are there. */
const leaveOne = (door: Storage, mine: Key, theirs: Key): Promise<boolean> =>
  door.transact([mine, theirs], (records) => {
    const both = records.get(mine.table, mine.id) !== undefined && records.get(theirs.table, theirs.id) !== undefined;
    return { writes: both ? [{ kind: 'delete', table: mine.table, id: mine.id }] : [], answer: both };
  });

/** Creates mine if theirs is not there. */
const takeIfFree = (door: Storage, mine: Key, theirs: Key): Promise<boolean> =>
  door.transact([mine, theirs], (records) => {
    const free = records.get(theirs.table, theirs.id) === undefined;
    return { writes: free ? [put(mine.table, mine.id)] : [], answer: free };
  });

const pairs = putTables.flatMap((table, at) => [
  [table, table] as const,
  [table, putTables[(at + 1) % putTables.length] ?? table] as const,
  [table, putTables[(at + 5) % putTables.length] ?? table] as const,
]);

for (const [table, other] of pairs) {
  test(`lets no two steps break a rule over present keys: ${table} and ${other}`, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const [a, b] = [keyOf(table, `skew-a${round}-${other}`), keyOf(other, `skew-b${round}-${table}`)];
      await seed([a, b]);
      const left = await Promise.all([leaveOne(doors[0], a, b), leaveOne(doors[1], b, a)]);
      expect(left.filter(Boolean)).toHaveLength(1);
    }
  });

  test(`lets no two steps break a rule over absent keys: ${table} and ${other}`, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const [a, b] = [keyOf(table, `free-a${round}-${other}`), keyOf(other, `free-b${round}-${table}`)];
      const taken = await Promise.all([takeIfFree(doors[0], a, b), takeIfFree(doors[1], b, a)]);
      expect(taken.filter(Boolean)).toHaveLength(1);
    }
  });
}

test('shows a step that waited for a record what came into being meanwhile', async () => {
  // The identity is looked for before the deposit is locked: a transaction that waits for the deposit has seen no identity.
  for (let round = 0; round < 3 * rounds; round += 1) {
    const [room, identity] = [keyOf('deposit', `room${round}`), keyOf('identity', `i${round}`)];
    await seed([room]);
    const take = (door: Storage): Promise<string> =>
      door.transact([room, identity], (records) => {
        const deposit = records.get('deposit', room.id) ?? sampleRecords.deposit(room.id);
        if (records.get('identity', identity.id) !== undefined) return { writes: [], answer: 'known' };
        if (deposit.amountMicros === 0n) return { writes: [], answer: 'insufficient' };
        const writes: Write[] = [
          { kind: 'put', table: 'deposit', record: { ...deposit, amountMicros: 0n } },
          put('identity', identity.id),
        ];
        return { writes, answer: 'started' };
      });
    const answers = await Promise.all([take(doors[0]), take(doors[1]), take(doors[0]), take(doors[1])]);
    expect(answers.toSorted()).toEqual(['known', 'known', 'known', 'started']);
  }
});

test('leaves nothing behind of the rows that a step only looked for', async () => {
  const [absent, made] = [keyOf('deposit', 'looked-for'), keyOf('wallet', 'made')];
  await doors[0].transact([absent, made], () => ({ writes: [put('wallet', 'made')], answer: undefined }));
  const records = await doors[1].read([absent, made]);
  expect(records.get('deposit', 'looked-for')).toBeUndefined();
  expect(records.get('wallet', 'made')).toEqual(sampleRecords.wallet('made'));
});

test('keeps the guard though a step names guarded rows as fresh only', async () => {
  const answer = await doors[0].transact([{ ...keyOf('account', 'fresh'), fresh: true }], () => ({
    writes: [put('account', 'fresh')],
    answer: 'made',
  }));
  expect(answer).toBe('made');
  expect((await doors[1].read([keyOf('account', 'fresh')])).get('account', 'fresh')).toEqual(
    sampleRecords.account('fresh'),
  );
});
