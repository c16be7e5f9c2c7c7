import assert from 'node:assert/strict';
import { claimableTables, listRowsMax, type ClaimableTable, type Storage } from '@tollgate/storage';
import { sampleRecords, sampleWith } from '../sample-records.ts';
import type { StorageCase, StorageWorld } from '../storage-case.ts';
import { addRows, readRecord, together } from '../storage-steps.ts';

const leaseMs = 1_000;

const claimOf = (storage: Storage, owner: string, limit: number) =>
  storage.claim({ table: 'operation', owner, leaseMs, limit });

const addDue = (storage: Storage, id: string, dueAtMs: number | null) =>
  addRows(storage, 'operation', [{ ...sampleRecords.operation(id), dueAtMs }]);

const idsOf = (rows: readonly { readonly id: string }[]): readonly string[] => rows.map((row) => row.id).toSorted();

const leasesDueRows = async ({ storage, other, setNow }: StorageWorld, table: ClaimableTable): Promise<void> => {
  await setNow(5_000);
  const row = sampleWith(table, 'r', { dueAtMs: 5_000 });
  await addRows(storage, table, [row]);
  const leased = { ...row, owner: 'me', dueAtMs: 5_000 + leaseMs };
  assert.deepEqual(await storage.claim({ table, owner: 'me', leaseMs, limit: 10 }), [leased]);
  for (const door of [storage, await other()]) assert.deepEqual(await readRecord(door, table, 'r'), leased);
};

export const claimCases: readonly StorageCase[] = [
  ...claimableTables.map((table) => ({
    promise: 'S30' as const,
    name: `leases a due row and returns it as it now is: ${table}`,
    run: (world: StorageWorld) => leasesDueRows(world, table),
  })),
  {
    promise: 'S30',
    name: 'claims no row that is not due or is never due',
    run: async ({ storage, setNow }) => {
      await setNow(5_000);
      await addDue(storage, 'later', 5_001);
      await addDue(storage, 'never', null);
      assert.deepEqual(await claimOf(storage, 'me', 10), []);
      await setNow(5_001);
      assert.deepEqual(idsOf(await claimOf(storage, 'me', 10)), ['later']);
    },
  },
  {
    promise: 'S31',
    name: 'claims what has been due longest first, and no more than the limit',
    run: async ({ storage, setNow }) => {
      await setNow(5_000);
      for (const [id, dueAtMs] of [
        ['c', 30],
        ['a', 10],
        ['d', 40],
        ['b', 20],
      ] as const)
        await addDue(storage, id, dueAtMs);
      assert.deepEqual(idsOf(await claimOf(storage, 'me', 2)), ['a', 'b']);
      assert.deepEqual(idsOf(await claimOf(storage, 'me', 2)), ['c', 'd']);
    },
  },
  {
    promise: 'S32',
    name: 'claims a row again only when its lease has run out',
    run: async ({ storage, other, setNow }) => {
      const door = await other();
      await setNow(5_000);
      await addDue(storage, 'a', 1);
      assert.deepEqual(idsOf(await claimOf(storage, 'me', 10)), ['a']);
      await setNow(5_000 + leaseMs - 1);
      assert.deepEqual(await claimOf(storage, 'me', 10), []);
      assert.deepEqual(await claimOf(door, 'you', 10), []);
      await setNow(5_000 + leaseMs);
      const [row] = await claimOf(door, 'you', 10);
      assert.equal(row?.owner, 'you');
      assert.equal(row.dueAtMs, 5_000 + 2 * leaseMs);
    },
  },
  {
    promise: 'S33',
    name: 'leases each row to one of many workers',
    run: async ({ storage, other, setNow }) => {
      const doors = [storage, await other()];
      await setNow(5_000);
      const rows = Array.from({ length: 60 }, (_, at) => ({ ...sampleRecords.operation(`o${at}`), dueAtMs: at }));
      await addRows(storage, 'operation', rows);
      const claims = await together(16, (at) => claimOf(doors[at % 2] ?? storage, `worker${at}`, 5));
      assert.deepEqual(idsOf(claims.flat()), idsOf(rows));
    },
  },
  {
    promise: 'S34',
    name: 'shows steps what a claim wrote, and claims what steps wrote',
    run: async ({ storage, other, setNow }) => {
      const door = await other();
      await setNow(5_000);
      await addDue(storage, 'a', 1);
      await claimOf(door, 'me', 10);
      const owner = await storage.transact([{ table: 'operation', id: 'a' }], (records) => {
        const record = records.get('operation', 'a') ?? sampleRecords.operation('a');
        const write = { kind: 'put', table: 'operation', record: { ...record, dueAtMs: 2 } } as const;
        return { writes: [write], answer: record.owner };
      });
      assert.equal(owner, 'me');
      assert.deepEqual(idsOf(await claimOf(door, 'you', 10)), ['a']);
    },
  },
  {
    promise: 'S29',
    name: `refuses to claim fewer than 1 or more than ${listRowsMax} rows`,
    run: async ({ storage }) => {
      for (const limit of [0, -1, 1.5, listRowsMax + 1])
        await assert.rejects(claimOf(storage, 'me', limit), `limit ${limit}`);
    },
  },
];
