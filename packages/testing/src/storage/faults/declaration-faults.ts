import { storageBusyCode, type Key } from '@tollgate/storage';
import { sampleRecords } from '../sample-records.ts';
import { rowKey } from './plain-parts.ts';
import type { StorageFault } from './storage-fault.ts';

const keyOf = (key: Key): string => rowKey(key.table, key.id);

export const declarationFaults: readonly StorageFault[] = [
  {
    name: 'shows any record that a step asks for',
    failing: ['refuses to show a step a record that it did not declare'],
    fault: (parts) => ({
      view: (keys, load) => ({
        get: (table, id) => parts.view([...keys, { table, id }], load).get(table, id),
      }),
    }),
  },
  {
    name: 'writes what a step did not declare',
    failing: ['refuses to write or delete a record that was not declared'],
    fault: (parts) => ({
      refuseWrites: (keys, writes) =>
        parts.refuseWrites(
          [
            ...keys,
            ...writes.map((write) => ({
              table: write.table,
              id: write.kind === 'delete' ? write.id : write.record.id,
            })),
          ],
          writes,
        ),
    }),
  },
  {
    name: 'replaces a row that is appended again',
    failing: ['appends a row once'],
    fault: (parts, disk) => ({
      commit: (writes) => {
        for (const write of writes) if (write.kind === 'append') disk.rows.delete(rowKey(write.table, write.record.id));
        parts.commit(writes);
      },
    }),
  },
  {
    name: 'lets the ledger be edited',
    failing: ['refuses to change or delete a row of an append-only table'],
    fault: () => ({ refuseWrites: () => undefined }),
  },
  {
    name: 'keeps a row of the ledger that has moved',
    failing: ['deletes a row of an append-only table that has moved'],
    fault: (parts) => ({
      commit: (writes) => parts.commit(writes.filter((write) => !(write.kind === 'delete' && write.moved === true))),
    }),
  },
  {
    name: 'trusts a fresh id and puts its record over the one that is there',
    failing: ['decides a step again when its fresh id turns out to be taken'],
    fault: (parts) => ({ load: (key, step) => (key.fresh === true ? undefined : parts.load(key, step)) }),
  },
  {
    name: 'takes an id for fresh in every step of a flight when one step calls it so',
    failing: ['looks up a record for a step beside one that calls its id fresh'],
    fault: (parts) => {
      let fresh = new Set<string>();
      return {
        carryAll: (steps) => {
          fresh = new Set(steps.flatMap((step) => step.keys.filter((key) => key.fresh === true).map(keyOf)));
          parts.carryAll(steps);
          fresh = new Set();
        },
        load: (key, step) => (fresh.has(keyOf(key)) ? undefined : parts.load(key, step)),
      };
    },
  },
  {
    name: 'carries 512 steps of a flight and drops the rest',
    failing: ['carries 600 steps that come at once'],
    fault: (parts) => ({
      carryAll: (steps) => {
        parts.carryAll(steps.slice(0, 512));
        for (const step of steps.slice(512))
          step.reject(Object.assign(new Error('the flight is full'), { code: storageBusyCode }));
      },
    }),
  },
  {
    name: 'lets any number of steps wait',
    failing: ['refuses steps beyond its queue by code'],
    fault: () => ({ stepsWaitingMax: Infinity }),
  },
  {
    name: 'uses the clock of its machine instead of the store’s',
    failing: ["hands every step the store's own clock", 'claims no row that is not due'],
    fault: () => ({ now: () => Date.now() }),
  },
  {
    name: 'closes under the steps under way',
    failing: ['waits on closing for the steps under way'],
    fault: () => ({ waitsOnClosing: false }),
  },
  {
    name: 'goes on after it was closed',
    failing: ['refuses everything once closed'],
    fault: () => ({ refusesWhenClosed: false }),
  },
  {
    name: 'keeps the rows by which it locks what is absent',
    failing: ['leaves nothing behind of records that a step only looked for'],
    fault: (parts, disk) => ({
      load: (key, step) => {
        const row = parts.load(key, step);
        if (row === undefined && key.table === 'usageHour')
          disk.rows.set(rowKey(key.table, key.id), { table: key.table, row: sampleRecords.usageHour(key.id) });
        return row;
      },
    }),
  },
  {
    name: 'takes a step whose ids are all fresh for one that has nothing to lock and nothing to write',
    failing: ['makes a record under a fresh id alone'],
    fault: (parts) => ({
      carry: (step) => {
        const isFresh = step.keys.length > 0 && step.keys.every(({ fresh }) => fresh === true);
        parts.carry(isFresh ? { ...step, decide: () => ({ writes: [], answer: undefined }) } : step);
      },
    }),
  },
];
