import { expect, test } from 'vitest';
import { createDatabaseSteps, type DatabaseStepsOptions } from './database-steps.ts';
import { noWalSync } from './wal-sync.ts';

const noRecords = { get: () => undefined };

const createWorld = (change: Partial<DatabaseStepsOptions> = {}) => {
  const events: string[] = [];
  const steps = createDatabaseSteps({
    limits: { busyTimeoutMs: 0, monotonicMs: () => 0 },
    sync: { ...noWalSync, flushed: async (alone) => void events.push(alone ? 'synced alone' : 'synced') },
    checkpointer: { nudge: () => void events.push('nudged') },
    commit: (some) => {
      events.push(`committed ${some.length}`);
      return some.map(({ decide }) => ({ kind: 'answered', answer: decide(noRecords, 0).answer }));
    },
    onBatch: undefined,
    ...change,
  });
  const step = async (name: string): Promise<void> => {
    await steps.submit([], () => ({ writes: [], answer: null }));
    events.push(name);
  };
  return { events, steps, step };
};

test('responds to a step when its commit is on disk, and looks after the log then', async () => {
  const { events, steps, step } = createWorld();
  await step('one');
  await steps.idle();
  expect(events).toEqual(['committed 1', 'synced alone', 'nudged', 'one']);
});

test('has the steps of a turn share a commit and a sync, for which others may wait', async () => {
  const { events, steps, step } = createWorld();
  await Promise.all([step('one'), step('two')]);
  await steps.idle();
  expect(events).toEqual(['committed 2', 'synced', 'nudged', 'one', 'two']);
});

test('carries a single step out within its turn where nothing is synced', async () => {
  for (const [sync, expected] of [
    [noWalSync, ['committed 1', 'nudged']],
    [{ ...noWalSync }, []],
  ] as const) {
    const { events, step } = createWorld({ sync });
    const done = step('one');
    for (let tasks = 0; tasks < 20; tasks += 1) await Promise.resolve();
    expect(events.slice(0, 2)).toEqual(expected);
    await done;
  }
});

test('commits a single step and looks after the log within one microtask where nothing is synced', async () => {
  const { events, step } = createWorld({ sync: noWalSync });
  const done = step('one');
  await Promise.resolve();
  expect(events).toEqual(['committed 1', 'nudged']);
  await done;
});

test('responds to no step whose commit could not be synced', async () => {
  const failure = new Error('the database could not be synced');
  const { events, steps, step } = createWorld({ sync: { ...noWalSync, flushed: () => Promise.reject(failure) } });
  await expect(step('one')).rejects.toBe(failure);
  await steps.idle();
  expect(events).toEqual(['committed 1']);
});
