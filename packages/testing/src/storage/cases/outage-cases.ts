import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { storageBusyCode, type Key } from '@tollgate/storage';
import { bump, bumpAll, changeableTables, countsRead, putCount, warm } from '../counted-record.ts';
import { writeOf } from '../sample-records.ts';
import type { StorageCase, StorageWorld } from '../storage-case.ts';
import { commit } from '../storage-steps.ts';
import { writtenKeys } from '../storage-writer.ts';

const isBusy = (cause: unknown): boolean =>
  typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === storageBusyCode;

const rejectedIn = (outcomes: readonly PromiseSettledResult<unknown>[]): readonly PromiseRejectedResult[] =>
  outcomes.filter((outcome) => outcome.status === 'rejected');

const losesNoAnswer = async ({ storage, other, hook }: StorageWorld, keys: readonly Key[]): Promise<void> => {
  const door = await other();
  for (const key of keys) await bump(storage, key);
  await warm(door, keys);
  const wasCut = await hook('cut')();
  const stepsOfKey = 3;
  const outcomes = await Promise.allSettled(
    keys.flatMap((key) => Array.from({ length: stepsOfKey }, () => bump(storage, key))),
  );
  assert.ok(wasCut(), 'the hook has cut no connection: nothing was proved');
  for (const { reason } of rejectedIn(outcomes))
    assert.ok(!isBusy(reason), 'a commit that may have happened is called busy');
  for (const [at, key] of keys.entries()) {
    const own = outcomes.slice(at * stepsOfKey, (at + 1) * stepsOfKey);
    const rejected = rejectedIn(own).length;
    const [count = 0] = await countsRead(door, [key]);
    const acknowledged = 1 + own.length - rejected;
    assert.ok(count >= acknowledged, `${acknowledged} steps on ${key.table} were acknowledged, ${count} are there`);
    assert.ok(count <= acknowledged + rejected, `${own.length + 1} steps on ${key.table} were carried ${count} times`);
    assert.equal(await bump(storage, key), count + 1, `the next step on ${key.table}`);
  }
};

/** Whether the step rejects as busy. Fails on any other end. */
const isRefusedAsBusy = async (step: Promise<unknown>, what: string): Promise<void> => {
  const [outcome] = await Promise.allSettled([step]);
  assert.ok(outcome.status === 'rejected', `${what} resolved`);
  assert.ok(isBusy(outcome.reason), `${what} rejected with ${String(outcome.reason)}`);
};

const heldTables = ['wallet', 'setting', 'operation', 'identity', 'account'] as const;

/** Acknowledged numbers that a writer gives before it is killed. */
const linesOfWriter = 60;

const survivesKill = async ({ other, startWriter }: StorageWorld): Promise<void> => {
  let acknowledged = 0;
  for (let round = 0; round < 3; round += 1) {
    const writer = startWriter();
    let lines = 0;
    for await (const line of writer.lines) {
      acknowledged = Math.max(acknowledged, Number(line));
      lines += 1;
      if (lines >= linesOfWriter) writer.kill();
    }
    assert.ok(lines >= linesOfWriter, `the writer ended after ${lines} steps`);
    const counts = await countsRead(await other(), writtenKeys);
    assert.equal(new Set(counts).size, 1, `half a step is there: ${counts.join()}`);
    assert.ok((counts[0] ?? 0) >= acknowledged, `${acknowledged} was acknowledged, ${counts[0]} is there`);
  }
};

/** Changes what a writer changes: no number may be given to both. */
const racesProcess = async ({ storage, other, startWriter }: StorageWorld): Promise<void> => {
  const writer = startWriter();
  const theirs: number[] = [];
  const ours: number[] = [];
  for await (const line of writer.lines) {
    theirs.push(Number(line));
    // A killed writer may have left tens of thousands of lines.
    if (ours.length >= linesOfWriter) continue;
    ours.push(await bumpAll(storage, writtenKeys));
    if (ours.length >= linesOfWriter) writer.kill();
  }
  assert.ok(ours.length >= linesOfWriter, `the writer ended after ${theirs.length} steps`);
  const taken = new Set(theirs);
  assert.deepEqual(
    ours.filter((count) => taken.has(count)),
    [],
    'numbers of two steps',
  );
  const counts = await countsRead(await other(), writtenKeys);
  assert.equal(new Set(counts).size, 1, `half a step is there: ${counts.join()}`);
};

export const outageCases: readonly StorageCase[] = [
  {
    promise: 'S10',
    name: 'carries no step twice whose commit was not answered, and goes on',
    needs: 'cut',
    run: (world) =>
      losesNoAnswer(
        world,
        (['wallet', 'operation', 'setting', 'deposit'] as const).map((table) => ({ table, id: 'cut' })),
      ),
  },
  {
    promise: 'S10',
    name: 'carries a lone step not twice whose commit was not answered, in every table',
    needs: 'cut',
    run: async (world) => {
      for (const table of changeableTables) await losesNoAnswer(world, [{ table, id: 'cut' }]);
    },
  },
  {
    promise: 'S12',
    name: 'carries steps of two doors over the same records in any order, or refuses them as busy',
    run: async ({ storage, other }) => {
      const doors = [storage, await other()];
      const keys = (['wallet', 'identity', 'account', 'operation', 'setting'] as const).map((table) => ({
        table,
        id: 'hot',
      }));
      const turned = (at: number): readonly Key[] => {
        const from = at % keys.length;
        const order = [...keys.slice(from), ...keys.slice(0, from)];
        return at % 3 === 0 ? order.toReversed() : order;
      };
      const outcomes = await Promise.allSettled(
        Array.from({ length: 120 }, (_, at) => bumpAll(doors[at % 2] ?? storage, turned(at))),
      );
      for (const { reason } of rejectedIn(outcomes)) assert.ok(isBusy(reason), String(reason));
      const carried = outcomes.length - rejectedIn(outcomes).length;
      assert.deepEqual(new Set(await countsRead(storage, keys)), new Set([carried]));
    },
  },
  {
    promise: 'S12',
    name: 'refuses a step as busy whose record is held too long, having written nothing',
    needs: 'hold',
    run: async ({ storage, hook, closeLater }) => {
      const impatient = closeLater(await hook('hold').openImpatient());
      for (const table of heldTables) {
        const [held, free] = [{ table, id: 'held' } as const, { table: 'deposit', id: `free-${table}` } as const];
        await bump(storage, held);
        const release = await hook('hold').take(held);
        await isRefusedAsBusy(bumpAll(impatient, [held, free]), `the step on a held ${table}`);
        assert.deepEqual(await countsRead(storage, [held, free]), [1, 0], table);
        await release();
        assert.equal(await bumpAll(impatient, [held, free]), 2, table);
      }
    },
  },
  {
    promise: 'S15',
    name: 'reads the clock when it has what it waited for, and not before',
    needs: 'hold',
    run: async ({ storage, setNow, hook }) => {
      const key = { table: 'wallet', id: 'held' } as const;
      await setNow(1_000);
      await bump(storage, key);
      const release = await hook('hold').take(key);
      const step = storage.transact([key], (_, nowMs) => ({ writes: [putCount(key, 2)], answer: nowMs }));
      // It has begun to wait by then.
      await Promise.race([step, delay(100)]);
      await setNow(2_000);
      await release();
      assert.equal(await step, 2_000);
    },
  },
  {
    promise: 'S2',
    name: 'loses no change of two processes to the same records',
    needs: 'startWriter',
    run: racesProcess,
  },
  {
    promise: 'S13',
    name: 'has what it acknowledged, each step as a whole, after its process was killed',
    needs: 'startWriter',
    run: survivesKill,
  },
  {
    promise: 'S16',
    name: 'goes by the clock of the database, whatever the clock of the process says',
    needs: 'openOwnClock',
    run: async ({ hook, closeLater }) => {
      const { now } = Date;
      const hourMs = 3_600_000;
      Date.now = () => now() + 2 * hourMs;
      try {
        const storage = closeLater(await hook('openOwnClock')());
        const nowMs = await storage.transact([], (_, ms) => ({ writes: [], answer: ms }));
        assert.ok(Math.abs(nowMs - now()) < hourMs, `a step got ${nowMs}`);
        await commit(storage, [writeOf('pendingBlob', { id: 'later', owner: null, dueAtMs: now() + hourMs })]);
        assert.deepEqual(await storage.claim({ table: 'pendingBlob', owner: 'me', leaseMs: 1, limit: 1 }), []);
      } finally {
        Date.now = now;
      }
    },
  },
  {
    promise: 'S18',
    name: 'refuses a database that acknowledges commits before they are durable',
    needs: 'openUnsafe',
    run: async ({ hook, closeLater }) => {
      await assert.rejects(hook('openUnsafe')().then(closeLater));
    },
  },
];
