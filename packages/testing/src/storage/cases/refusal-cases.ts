import assert from 'node:assert/strict';
import type { Storage, TableName } from '@tollgate/storage';
import { bump, bumpAll, countedRecord, countsRead, putCount, tables } from '../counted-record.ts';
import { writeOf } from '../sample-records.ts';
import type { StorageCase, StorageWorld } from '../storage-case.ts';
import { commit, lookWhile } from '../storage-steps.ts';

/** A step over a record of another table, the refused one and a third; two other steps come with it. */
const refusesOne = async (
  { storage, hook }: StorageWorld,
  door: Storage,
  table: TableName,
  by: 'refuse' | 'refuseCommit',
): Promise<void> => {
  const refused = { table, id: `refused-${by}` };
  const [before, after] = [
    { table: 'account', id: `before-${table}` },
    { table: 'usageLine', id: `after-${table}` },
  ] as const;
  const neighbour = { table: 'setting', id: `neighbour-${table}` } as const;
  const writes = [putCount(before, 2), writeOf(table, countedRecord(table, refused.id, 2)), putCount(after, 2)];
  const allow = await hook(by)(refused);
  const [first, step, last] = await Promise.allSettled([
    bump(storage, neighbour),
    commit(storage, writes),
    bump(storage, neighbour),
  ]);
  assert.equal(step.status, 'rejected', `the refused step on ${table} resolved`);
  assert.deepEqual(
    [first, last],
    [1, 2].map((value) => ({ status: 'fulfilled', value })),
    `beside the refused step on ${table}`,
  );
  for (const one of [storage, door])
    assert.deepEqual(await countsRead(one, [before, refused, after]), [0, 0, 0], table);
  await allow();
  await commit(storage, writes);
  assert.deepEqual(await countsRead(door, [before, refused, after]), [2, 2, 2], table);
};

export const refusalCases: readonly StorageCase[] = [
  {
    promise: 'S11',
    name: 'leaves nothing of a step of which the database refuses a write, in any table',
    needs: 'refuse',
    run: async (world) => {
      const door = await world.other();
      for (const table of tables) await refusesOne(world, door, table, 'refuse');
    },
  },
  {
    promise: 'S11',
    name: 'leaves nothing of a step whose commit the database refuses',
    needs: 'refuseCommit',
    run: async (world) => {
      const door = await world.other();
      for (const table of ['setting', 'wallet', 'operation', 'entry'] as const)
        await refusesOne(world, door, table, 'refuseCommit');
    },
  },
  {
    promise: 'S5',
    name: 'shows nothing of a step whose commit the database refuses, while it is carried',
    needs: 'refuseCommit',
    run: async ({ storage, other, hook }) => {
      const door = await other();
      const keys = (['account', 'wallet', 'setting', 'operation'] as const).map((table) => ({ table, id: 'clean' }));
      await bumpAll(storage, keys);
      await hook('refuseCommit')({ table: 'tariff', id: 'refused' });
      const send = async (): Promise<void> => {
        for (let round = 0; round < 30; round += 1)
          await assert.rejects(bumpAll(storage, [...keys, { table: 'tariff', id: 'refused' }]));
      };
      await lookWhile(send(), async () => assert.deepEqual(await countsRead(door, keys), [1, 1, 1, 1]));
    },
  },
];
