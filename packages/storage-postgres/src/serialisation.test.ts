import type { Key, Storage, TableName, Write } from '@tollgate/storage';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase, type TestDatabase } from '../../../test/postgres-server.ts';
import { sampleRecords, writeOf } from '../../testing/src/sample-records.ts';
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

const rounds = 10;
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

for (const [at, table] of putTables.entries()) {
  const other = putTables[(at + 5) % putTables.length] ?? table;

  test(`lets no two steps break a rule over present keys: ${table} and ${other}`, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const [a, b] = [keyOf(table, `skew-a${round}`), keyOf(other, `skew-b${round}`)];
      await seed([a, b]);
      const left = await Promise.all([leaveOne(doors[0], a, b), leaveOne(doors[1], b, a)]);
      expect(left.filter(Boolean)).toHaveLength(1);
    }
  });

  test(`lets no two steps break a rule over absent keys: ${table} and ${other}`, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const [a, b] = [keyOf(table, `free-a${round}`), keyOf(other, `free-b${round}`)];
      const taken = await Promise.all([takeIfFree(doors[0], a, b), takeIfFree(doors[1], b, a)]);
      expect(taken.filter(Boolean)).toHaveLength(1);
    }
  });
}

test('shows a step that waited for a record what came into being meanwhile', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const [wallet, identity] = [keyOf('wallet', `w${round}`), keyOf('identity', `i${round}`)];
    await seed([wallet]);
    // Both see a wallet with room for one; the second must not be told that there is none without the identity.
    const spend = (door: Storage): Promise<string> =>
      door.transact([wallet, identity], (records) => {
        const held = records.get('wallet', wallet.id) ?? sampleRecords.wallet(wallet.id);
        const known = records.get('identity', identity.id);
        if (known !== undefined) return { writes: [], answer: 'known' };
        if (held.reservedMicros > 0n) return { writes: [], answer: 'insufficient' };
        const writes: Write[] = [
          { kind: 'put', table: 'wallet', record: { ...held, reservedMicros: 100n } },
          put('identity', identity.id),
        ];
        return { writes, answer: 'started' };
      });
    const answers = await Promise.all([spend(doors[0]), spend(doors[1]), spend(doors[0]), spend(doors[1])]);
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
