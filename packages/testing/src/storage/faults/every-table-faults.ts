import { tableColumns, type QueuedStep, type TableName, type Write } from '@tollgate/storage';
import { carryStep, rowKey, writeIdOf, type PlainDisk, type PlainParts, type Row } from './plain-parts.ts';
import type { PlainFault } from './plain-storage.ts';
import { snapshots } from './step-snapshots.ts';
import type { StorageFault } from './storage-fault.ts';

const keptChanges = 'keeps every change of a record that two doors have read before';
const oneWinner = 'gives a key that two doors found absent to one of them';
const skew = 'lets no two steps break a rule over records of which each only reads one';
const absentSkew = 'lets no two steps break a rule over absent keys of which each only reads one';
const overtaken = 'loses neither of two steps of which one comes while the other is decided';

/** Shows steps what some keys held when they were submitted. */
const stale =
  (isStale: (table: TableName, found: Row | undefined) => boolean): PlainFault =>
  (parts) => {
    const snapshot = snapshots(parts);
    return {
      submitted: snapshot.take,
      load: (key, step) => {
        const seen = snapshot.of(step);
        const place = rowKey(key.table, key.id);
        return seen.has(place) && isStale(key.table, seen.get(place)) ? seen.get(place) : parts.find(key.table, key.id);
      },
    };
  };

/** Keeps what was found of some tables, until this storage changes it itself. */
const caching =
  (isCached: (table: TableName) => boolean, keepsAbsence = false): PlainFault =>
  (parts) => {
    const cache = new Map<string, Row | undefined>();
    return {
      find: (table, id) => {
        if (!isCached(table)) return parts.find(table, id);
        const key = rowKey(table, id);
        const row = cache.has(key) ? cache.get(key) : parts.find(table, id);
        if (row !== undefined || keepsAbsence) cache.set(key, row);
        return row;
      },
      commit: (writes) => {
        parts.commit(writes);
        for (const write of writes) cache.delete(rowKey(write.table, writeIdOf(write)));
      },
    };
  };

const later = (work: () => void): void => void setImmediate(() => setImmediate(work));

/** Commits some of a step's writes first and the rest a moment later. */
const inTwoCommits =
  (first: (write: Write, at: number) => boolean): PlainFault =>
  (parts, _, own) => ({
    carry: (step) => {
      let rest: readonly Write[] = [];
      const split = (writes: readonly Write[]): void => {
        parts.commit(writes.filter((write, at) => first(write, at)));
        rest = writes.filter((write, at) => !first(write, at));
      };
      const resolve = (answer: unknown): void =>
        later(() => {
          parts.commit(rest);
          step.resolve(answer);
        });
      carryStep({ ...own(), commit: split }, { ...step, resolve });
    },
  });

/** Puts the rows of a step where all see them, and takes them back a moment later where the step is refused. */
const carryDirty = (parts: PlainParts, disk: PlainDisk, step: QueuedStep): void => {
  const { writes } = step.decide(
    parts.view(step.keys, (key) => parts.load(key, step)),
    parts.now(),
  );
  const keys = writes.map((write) => rowKey(write.table, writeIdOf(write)));
  const before = keys.map((key) => disk.rows.get(key));
  for (const [at, write] of writes.entries())
    if (write.kind !== 'delete') disk.rows.set(keys[at] ?? '', { table: write.table, row: write.record });
  later(() => {
    for (const [at, key] of keys.entries()) {
      const row = before[at];
      if (row === undefined) disk.rows.delete(key);
      else disk.rows.set(key, row);
    }
    carryStep(parts, step);
  });
};

/** A faulty lock over each table, so that no case can go by one table alone. */
const unlockedTables: readonly StorageFault[] = (
  ['wallet', 'operation', 'identity', 'spend', 'topUp', 'deposit'] as const
).map((table) => ({
  name: `does not lock the rows of ${table}`,
  failing: [keptChanges, skew],
  fault: stale((one, found) => one === table && found !== undefined),
}));

const uncheckedAbsence: readonly StorageFault[] = (['identity', 'deposit', 'payment', 'apiKey'] as const).map(
  (table) => ({
    name: `does not lock the absence of rows of ${table}`,
    failing: [oneWinner, absentSkew],
    fault: stale((one, found) => one === table && found === undefined),
  }),
);

const cachedTables: readonly StorageFault[] = (['account', 'project', 'apiKey', 'tariff', 'wallet'] as const).map(
  (table) => ({
    name: `keeps rows of ${table} that it has read`,
    failing: ['shows a door that has looked before every change of another', keptChanges],
    fault: caching((one) => one === table),
  }),
);

export const everyTableFaults: readonly StorageFault[] = [
  {
    name: 'locks rows of settings only',
    failing: [keptChanges, skew],
    fault: stale((table, found) => table !== 'setting' && found !== undefined),
  },
  {
    name: 'locks the absence of settings only',
    failing: [oneWinner, absentSkew, 'shows a step that waited for one record'],
    fault: stale((table, found) => table !== 'setting' && found === undefined),
  },
  {
    name: 'locks what a step writes and not what it only reads',
    failing: [skew, absentSkew, 'lets no two steps break a rule over keys that both declared'],
    fault: (parts) => {
      const snapshot = snapshots(parts);
      return {
        submitted: snapshot.take,
        // A step that writes its first key sees that one as it is and the others as they were.
        load: (key, step) =>
          step.keys[0] === key ? parts.find(key.table, key.id) : snapshot.of(step).get(rowKey(key.table, key.id)),
      };
    },
  },
  {
    name: 'decides on what it found once and for all',
    failing: [overtaken],
    fault: (parts, _, own) => ({
      carry: (step) => {
        const seen = new Map(step.keys.map((key) => [rowKey(key.table, key.id), parts.find(key.table, key.id)]));
        const decided = step.decide(
          parts.view(step.keys, (key) => seen.get(rowKey(key.table, key.id))),
          parts.now(),
        );
        later(() => carryStep(own(), { ...step, decide: () => decided }));
      },
    }),
  },
  ...unlockedTables,
  ...uncheckedAbsence,
  ...cachedTables,
  {
    name: 'remembers that a record was absent',
    failing: ['shows a door that has looked before every change of another', oneWinner],
    fault: caching(() => true, true),
  },
  {
    name: 'lists what it has listed before',
    failing: ['lists for a door that has looked before what another wrote'],
    fault: (parts) => {
      let listedBefore = 0;
      return {
        belongs: (spec, row, of) => {
          listedBefore += 1;
          return parts.belongs(spec, row, of) && listedBefore < 3;
        },
      };
    },
  },
  {
    name: 'commits in the middle of the writes of a step',
    failing: ['shows a step the writes of another over every table all at once'],
    fault: inTwoCommits((_, at) => at < 20),
  },
  {
    name: 'commits each table by itself',
    failing: ['reads the writes of a step over every table all at once'],
    fault: inTwoCommits(({ table }) => table < 'o'),
  },
  {
    name: 'reads what is not committed',
    failing: ['shows nothing of a step that is refused'],
    fault: (parts, disk, own) => ({
      carry: (step) => carryDirty(own() === parts ? parts : { ...own(), carry: parts.carry }, disk, step),
    }),
  },
  {
    name: 'sends the commit and does not wait for it',
    failing: ['has every one of many commits in place'],
    fault: (parts) => {
      let commits = 0;
      return {
        commit: (writes) => {
          commits += 1;
          // Mostly in time.
          if (commits % 10 === 0) setTimeout(() => parts.commit(writes), 3);
          else parts.commit(writes);
        },
      };
    },
  },
  {
    name: 'writes one table after another without a transaction',
    failing: ['makes none of the writes of a step over every table when one of them is bad'],
    fault: (parts) => ({
      commit: (writes) => {
        for (const table of Object.keys(tableColumns)) parts.commit(writes.filter((write) => write.table === table));
      },
    }),
  },
];
