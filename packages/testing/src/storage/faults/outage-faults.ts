import { storageBusyCode, type QueuedStep, type Write } from '@tollgate/storage';
import { carryStep, commitTo, createPlainDisk, rowKey, type PlainParts } from './plain-parts.ts';
import type { PlainFault } from './plain-storage.ts';
import { snapshots } from './step-snapshots.ts';
import type { StorageFault } from './storage-fault.ts';

const notTwice = 'carries no step twice whose commit was not answered';
const loneNotTwice = 'carries a lone step not twice whose commit was not answered';
const refusedCommit = 'leaves nothing of a step whose commit the database refuses';
const heldTooLong = 'refuses a step as busy whose record is held too long';
const contended = 'carries steps of two doors over the same records in any order';
const killed = 'has what it acknowledged, each step as a whole, after its process was killed';

const busy = (): Error => Object.assign(new Error('busy'), { code: storageBusyCode });

/** Does something else to every fiftieth step that writes several records. */
const seldom =
  (carry: (parts: PlainParts, step: QueuedStep) => void): PlainFault =>
  (parts) => {
    let steps = 0;
    return {
      carry: (step) => {
        steps += 1;
        if (steps % 50 === 0) carry(parts, step);
        else parts.carry(step);
      },
    };
  };

export const outageFaults: readonly StorageFault[] = [
  {
    name: 'decides a step again whose commit was not answered',
    failing: [notTwice, loneNotTwice],
    fault: (_, __, own) => ({ unanswered: (step) => own().carry(step) }),
  },
  {
    name: 'calls a commit that was not answered busy',
    failing: [notTwice, loneNotTwice],
    fault: () => ({ unanswered: (step) => step.reject(busy()) }),
  },
  {
    name: 'resolves a step though its commit was refused',
    failing: [refusedCommit, 'leaves nothing of a step of which the database refuses a write'],
    fault: (parts) => ({
      commit: (writes) => {
        try {
          parts.commit(writes);
        } catch {
          // The answer to the commit was not read.
        }
      },
    }),
  },
  {
    name: 'shows what it has written until its commit is refused',
    failing: ['shows nothing of a step whose commit the database refuses'],
    fault: (parts, disk) => ({
      carry: (step) => {
        const { writes } = step.decide(
          parts.view(step.keys, (key) => parts.load(key, step)),
          parts.now(),
        );
        const puts = writes.filter((write) => write.kind === 'put');
        const before = puts.map(
          ({ table, record }) => [rowKey(table, record.id), disk.rows.get(rowKey(table, record.id))] as const,
        );
        for (const { table, record } of puts) disk.rows.set(rowKey(table, record.id), { table, row: record });
        setImmediate(() => {
          for (const [key, row] of before) {
            if (row === undefined) disk.rows.delete(key);
            else disk.rows.set(key, row);
          }
          parts.carry(step);
        });
      },
    }),
  },
  {
    name: 'says in words of its own that rows are held',
    failing: [heldTooLong],
    fault: () => ({ busy: () => new Error('Lock wait timeout exceeded') }),
  },
  {
    name: 'waits without end for rows that are held',
    failing: [heldTooLong],
    limitMs: 1_500,
    fault: () => ({ heldTriesMax: 1_000 }),
  },
  {
    name: 'says in words of its own that a race was lost',
    failing: [contended],
    fault: seldom((_, step) => step.reject(new Error('deadlock detected'))),
  },
  {
    name: 'calls itself busy after it has written',
    failing: [contended],
    fault: seldom((parts, step) => parts.carry({ ...step, resolve: () => step.reject(busy()) })),
  },
  {
    name: 'reads the clock before it waits',
    failing: ['reads the clock when it has what it waited for'],
    fault: (parts, _, own) => {
      const times = new WeakMap<QueuedStep, number>();
      return {
        submitted: (step) => void times.set(step, parts.now()),
        carry: (step) => carryStep({ ...own(), now: () => times.get(step) ?? 0 }, step),
      };
    },
  },
  {
    name: 'goes by the clock of the process',
    failing: ['goes by the clock of the database'],
    fault: () => ({ now: () => Date.now() }),
  },
  {
    name: 'locks records within its own process',
    failing: ['loses no change of two processes'],
    fault: (parts, disk) => {
      const snapshot = snapshots(parts);
      return {
        submitted: snapshot.take,
        load: (key, step) =>
          disk.server.writes ? snapshot.of(step).get(rowKey(key.table, key.id)) : parts.find(key.table, key.id),
      };
    },
  },
  {
    name: 'acknowledges what dies with its process',
    failing: [killed],
    fault: (parts, disk) => {
      const own = createPlainDisk();
      const flush = (writes: readonly Write[]): void => {
        if (!disk.server.killed) parts.commit(writes);
      };
      return {
        commit: (writes) => {
          commitTo(own, writes, parts.keep);
          setTimeout(() => flush(writes), 50);
        },
        find: (table, id) => own.rows.get(rowKey(table, id))?.row ?? parts.find(table, id),
      };
    },
  },
  {
    name: 'opens on a database whose commits are not durable',
    failing: ['refuses a database that acknowledges commits before they are durable'],
    fault: () => ({ checksDurability: false }),
  },
  {
    name: 'forgets on closing what it was asked',
    failing: ['settles on closing whatever was asked before'],
    limitMs: 500,
    fault: () => {
      let closed = false;
      return {
        closing: () => {
          closed = true;
        },
        pauseInRead: () =>
          new Promise((resolve) => {
            setImmediate(() => {
              if (!closed) resolve();
            });
          }),
      };
    },
  },
];
