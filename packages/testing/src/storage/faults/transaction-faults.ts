import type { QueuedStep, Write } from '@tollgate/storage';
import { carryStep, commitTo, createPlainDisk, rowKey, writeIdOf, type Row } from './plain-parts.ts';
import { snapshots } from './step-snapshots.ts';
import type { StorageFault } from './storage-fault.ts';

const written = new Error('a neighbour failed');

export const transactionFaults: readonly StorageFault[] = [
  {
    name: 'reads before it has the lock, so that an update is lost',
    failing: [
      'keeps every one of 100 concurrent increments',
      'keeps every increment that comes in through two doors',
      'lets no two steps break a rule over keys that both declared',
      'carries a batch as if its steps came one by one',
    ],
    fault: (parts) => {
      const snapshot = snapshots(parts);
      return {
        submitted: snapshot.take,
        load: (key, step) => snapshot.of(step).get(rowKey(key.table, key.id)),
      };
    },
  },
  {
    name: 'locks rows but not their absence, so that a new key has two winners',
    failing: ['gives an absent key to exactly one of many racers'],
    fault: (parts) => {
      const snapshot = snapshots(parts);
      return {
        submitted: snapshot.take,
        load: (key, step) =>
          snapshot.of(step).get(rowKey(key.table, key.id)) === undefined ? undefined : parts.find(key.table, key.id),
      };
    },
  },
  {
    name: 'keeps a cache of its own that is never cleared',
    failing: ['shows a step what came in through another door since', 'shows steps what a claim wrote'],
    fault: (parts) => {
      const cache = new Map<string, Row>();
      const remember = (write: Write): void => {
        const key = rowKey(write.table, writeIdOf(write));
        if (write.kind === 'delete') cache.delete(key);
        else cache.set(key, write.record);
      };
      return {
        find: (table, id) => cache.get(rowKey(table, id)) ?? parts.find(table, id),
        commit: (writes) => {
          parts.commit(writes);
          writes.forEach(remember);
        },
      };
    },
  },
  {
    name: 'forgets to delete',
    failing: ['shows a step that an earlier one deleted its record'],
    fault: (parts) => ({ commit: (writes) => parts.commit(writes.filter((write) => write.kind !== 'delete')) }),
  },
  {
    name: 'writes one record after another without a transaction',
    failing: ['makes none of the writes of a step when one of them is bad'],
    fault: (parts) => ({ commit: (writes) => writes.forEach((write) => parts.commit([write])) }),
  },
  {
    name: 'writes the records of a step before it decides whether the step may stand',
    failing: ['refuses to write or delete a record that was not declared'],
    fault: (parts, _, own) => ({
      carry: (step) =>
        carryStep(
          {
            ...own(),
            refuseWrites: (keys, writes) => {
              parts.commit(writes);
              parts.refuseWrites(keys, writes);
            },
            commit: () => undefined,
          },
          step,
        ),
    }),
  },
  {
    name: 'fails the neighbours of a step that failed',
    failing: ['rejects a step with a bad write alone', 'rejects a step that throws alone'],
    fault: (parts) => ({
      carryAll: (steps) => {
        let failed = false;
        const fail = (step: QueuedStep) => (cause: unknown) => {
          failed = true;
          step.reject(cause);
        };
        const answers: (() => void)[] = [];
        for (const step of steps)
          parts.carry({ ...step, reject: fail(step), resolve: (answer) => answers.push(() => step.resolve(answer)) });
        if (failed) for (const step of steps) step.reject(written);
        else for (const answer of answers) answer();
      },
    }),
  },
  {
    name: 'hides what a step threw behind an error of its own',
    failing: ['rejects a step that throws alone, with what it threw', 'goes on after a step that threw'],
    fault: (parts) => ({
      carry: (step) => parts.carry({ ...step, reject: (cause) => step.reject(new Error('failed', { cause })) }),
    }),
  },
  {
    name: 'stays in a broken transaction after a throw',
    failing: ['goes on after a step that threw when it was alone'],
    fault: (parts) => {
      let broken = false;
      return {
        carry: (step) => {
          if (broken) {
            step.reject(new Error('the transaction is aborted'));
            return;
          }
          parts.carry({
            ...step,
            reject: (cause) => {
              broken = true;
              step.reject(cause);
            },
          });
        },
      };
    },
  },
  {
    name: 'answers before it commits',
    failing: ['has a commit in place, for every door, by the time it resolves'],
    fault: (parts) => ({ commit: (writes) => void setTimeout(() => parts.commit(writes), 5) }),
  },
  {
    name: 'keeps commits where they die with it',
    failing: ['keeps what it acknowledged when the data is opened again'],
    fault: (parts) => {
      const own = createPlainDisk();
      return {
        commit: (writes) => commitTo(own, writes, parts.keep),
        find: (table, id) => own.rows.get(rowKey(table, id))?.row ?? parts.find(table, id),
      };
    },
  },
];
