import assert from 'node:assert/strict';
import {
  claimableTables,
  listRowsMax,
  tableColumns,
  type ClaimableTable,
  type ColumnKind,
  type Storage,
} from '@tollgate/storage';
import { restrictedColumns } from '../counted-record.ts';
import { sampleRecords, sampleWith, writeOf } from '../sample-records.ts';
import type { StorageCase, StorageWorld } from '../storage-case.ts';
import { addRows, commit, readRecord, together } from '../storage-steps.ts';

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

/** A change of a row that no claim makes. `pendingBlob` has no other column, so that its owner alone tells. */
const marked = (table: ClaimableTable): Readonly<Record<string, unknown>> => {
  const [column] = Object.entries<ColumnKind>(tableColumns[table]).find(
    ([name, kind]) => kind === 'integer' && !restrictedColumns.has(name),
  ) ?? [null];
  return column === null ? {} : { [column]: 77 };
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
  {
    promise: 'S32',
    name: 'gives a worker its own rows again when their leases have ended, in every table',
    run: async ({ storage, setNow }) => {
      for (const table of claimableTables) {
        await setNow(5_000);
        await addRows(storage, table, [sampleWith(table, 'own', { dueAtMs: 1 })]);
        const claim = () => storage.claim({ table, owner: 'me', leaseMs, limit: 10 });
        assert.deepEqual(idsOf(await claim()), ['own'], table);
        assert.deepEqual(await claim(), [], `${table} within its lease`);
        await setNow(5_000 + leaseMs);
        const [row] = await claim();
        assert.equal(row?.id, 'own', `${table} after its lease`);
        assert.equal(row.dueAtMs, 5_000 + 2 * leaseMs);
        await commit(storage, [{ kind: 'delete', table, id: 'own' }]);
      }
    },
  },
  {
    promise: 'S33',
    name: 'takes all due rows by claims that come at once and have just enough room, in every table',
    run: async ({ storage, other, setNow }) => {
      const doors = [storage, await other()];
      for (const table of claimableTables) {
        await setNow(5_000);
        const rows = Array.from({ length: 24 }, (_, at) => sampleWith(table, `due${at}`, { dueAtMs: 1 + (at % 3) }));
        await addRows(storage, table, rows);
        const claims = await together(8, (at) =>
          (doors[at % 2] ?? storage).claim({ table, owner: `worker${at}`, leaseMs, limit: 3 }),
        );
        assert.deepEqual(idsOf(claims.flat()), idsOf(rows), table);
      }
    },
  },
  {
    promise: 'S31',
    name: 'claims what has been due longest first where many rows are due, in every table',
    run: async ({ storage, setNow }) => {
      await setNow(5_000);
      for (const table of claimableTables) {
        // Written in an order that is neither that of the ids nor that of the times.
        const rows = Array.from({ length: 30 }, (_, at) =>
          sampleWith(table, `row${(at * 11) % 30}`, { dueAtMs: 1 + ((at * 7) % 30) }),
        );
        await addRows(storage, table, rows);
        for (let taken = 0; taken < 30; taken += 10) {
          const claimed = await storage.claim({ table, owner: 'me', leaseMs, limit: 10 });
          const expected = rows.filter(
            (row) => 'dueAtMs' in row && Number(row.dueAtMs) > taken && Number(row.dueAtMs) <= taken + 10,
          );
          assert.deepEqual(idsOf(claimed), idsOf(expected), table);
        }
      }
    },
  },
  {
    promise: 'S34',
    name: 'loses neither a claim nor a step that come at once to one row, in every table',
    run: async ({ storage, other, setNow }) => {
      const door = await other();
      await setNow(5_000);
      for (const table of claimableTables)
        for (let round = 0; round < 3; round += 1) {
          const key = { table, id: `both${round}` };
          await addRows(storage, table, [sampleWith(table, key.id, { dueAtMs: 1 })]);
          const [claimed, stepped] = await Promise.all([
            door.claim({ table, owner: 'worker', leaseMs, limit: 1 }),
            storage.transact([key], (records) => {
              const found = records.get(table, key.id);
              assert.ok(found !== undefined);
              return { writes: [writeOf(table, { ...found, ...marked(table) })], answer: found.owner };
            }),
          ]);
          const kept = await readRecord(storage, table, key.id);
          // A claim may pass over a row that a step holds at the moment.
          const owner = claimed.length === 0 ? null : 'worker';
          assert.equal(kept?.owner, owner, `${table}: the step took the lease back`);
          assert.deepEqual(kept, { ...kept, ...marked(table) }, `${table}: the claim took the change back`);
          assert.ok(stepped === null || stepped === owner);
          await commit(storage, [{ kind: 'delete', ...key }]);
        }
    },
  },
];
