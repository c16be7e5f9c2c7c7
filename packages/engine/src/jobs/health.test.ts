import { listRowsMax, type Storage } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { createEngineWorld, type EngineWorld } from '../../test/engine-world.ts';
import { partsOf } from '../../test/process-parts.ts';
import { createHealth } from './health.ts';
import { createJobs } from './jobs.ts';

const healthOf = (world: EngineWorld, isDraining = () => false) => {
  const parts = partsOf(world.engine);
  const jobs = createJobs(world.engine, parts);
  return { jobs, health: createHealth(world.engine, { jobs, parts, isDraining }) };
};

test('is ready while the storage answers and the jobs run', async () => {
  const world = await createEngineWorld();
  const { jobs, health } = healthOf(world);
  jobs.start();
  await world.clock.advance(world.engine.limits.sweepMs * 2);
  expect(await health()).toMatchObject({
    isReady: true,
    isAlive: true,
    isDraining: false,
    storage: { kind: 'reachable' },
    jobs: { kind: 'alive', lagMs: 0 },
    workers: { working: 0 },
    outbox: { lagMs: null, delivering: 0 },
    uncertain: { count: 0, hasMore: false },
  });
  await jobs.stop();
});

test('is ready where the host runs its jobs elsewhere', async () => {
  const { health } = healthOf(await createEngineWorld());
  expect(await health()).toMatchObject({
    isReady: true,
    jobs: { kind: 'not_started', renewedAgoMs: null, sweptAgoMs: null, lagMs: null },
  });
});

test('is alive and not ready while the storage fails, however long the jobs fail with it', async () => {
  const world = await createEngineWorld();
  const { jobs, health } = healthOf(world);
  jobs.start();
  world.faults = () => ({ kind: 'refused' });
  await world.clock.advance(world.engine.limits.leaseMs * 2);
  expect(await health()).toMatchObject({
    isReady: false,
    isAlive: true,
    storage: { kind: 'unreachable' },
    jobs: { kind: 'stalled' },
    uncertain: null,
  });
  await jobs.stop();
});

test('waits for a silent storage for two seconds at the most', async () => {
  const world = await createEngineWorld();
  const { health } = healthOf(world);
  world.faults = () => new Promise(() => {});
  const asked = health();
  await world.clock.advance(2_000);
  expect((await asked).storage).toEqual({ kind: 'unreachable', durationMs: 2_000 });
});

test('is dead where the jobs no longer succeed though the storage answers', async () => {
  const world = await createEngineWorld();
  const { jobs, health } = healthOf(world);
  jobs.start();
  world.faults = (call) => (call.name === 'claim' ? { kind: 'refused' } : undefined);
  await world.clock.advance(world.engine.limits.leaseMs + world.engine.limits.sweepMs);
  const { isReady, isAlive, jobs: state } = await health();
  expect({ isReady, isAlive, kind: state.kind }).toEqual({ isReady: false, isAlive: false, kind: 'stalled' });
  expect(state.lagMs).toBeGreaterThan(world.engine.limits.leaseMs - world.engine.limits.sweepMs);
  await jobs.stop();
});

test('stops being ready at the start of a drain', async () => {
  let isDraining = false;
  const { health } = healthOf(await createEngineWorld(), () => isDraining);
  expect((await health()).isReady).toBe(true);
  isDraining = true;
  expect(await health()).toMatchObject({ isReady: false, isAlive: true, isDraining: true });
});

test('asks the storage once for probes that follow each other, and again a second later', async () => {
  const world = await createEngineWorld();
  const { health } = healthOf(world);
  let lists = 0;
  world.faults = (call) => {
    if (call.name === 'list') lists += 1;
    return undefined;
  };
  await Promise.all([health(), health(), health()]);
  expect(lists).toBe(1);
  await world.clock.advance(1_000);
  await health();
  expect(lists).toBe(2);
});

test('counts the operations that wait for an operator', async () => {
  const world = await createEngineWorld();
  await world.run({ execute: () => Promise.reject(new Error('lost')) });
  const { health } = healthOf(world);
  expect((await health()).uncertain).toEqual({ count: 1, hasMore: false });
});

/** A storage that lists so many operations, or none as it is away. */
const listing = (storage: Storage, rows: number | 'away'): Storage => ({
  ...storage,
  list: async (index, query) => {
    if (rows === 'away') throw new Error('away');
    const [row] = await storage.list(index, query);
    return row === undefined ? [] : Array.from({ length: rows }, () => row);
  },
});

test.each([
  [listRowsMax - 1, { count: listRowsMax - 1, hasMore: false }],
  [listRowsMax, { count: listRowsMax, hasMore: true }],
])('says that there may be more of them where a list is full: %s', async (rows, uncertain) => {
  const world = await createEngineWorld();
  await world.run({ execute: () => Promise.reject(new Error('lost')) });
  const engine = world.another({ storage: listing(world.storage, rows) });
  const { health } = healthOf({ ...world, engine });
  expect((await health()).uncertain).toEqual(uncertain);
});

test('is ready while one of several cells is away, and does not count what waits there', async () => {
  const world = await createEngineWorld();
  const { storage } = world;
  const all = [storage, listing(storage, 'away')];
  const engine = world.another({ storage: { ...storage, cells: { of: () => storage, all, split: async () => [] } } });
  const { health } = healthOf({ ...world, engine });
  expect(await health()).toMatchObject({ isReady: true, storage: { kind: 'reachable' }, uncertain: null });
});
