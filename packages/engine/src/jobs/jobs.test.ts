import { expect, test } from 'vitest';
import { breathe, createEngineWorld, firstSteps, holdMicros, openPromise, opens } from '../../test/engine-world.ts';
import { createJobs, releaseUnconfirmed } from './jobs.ts';
import { partsOf, renewLeases } from '../../test/process-parts.ts';

const startForever = (world: Awaited<ReturnType<typeof createEngineWorld>>) => {
  void world.run({ execute: () => new Promise(() => {}) });
  return breathe();
};

const stateOf = async ({ admin, accountId }: Awaited<ReturnType<typeof createEngineWorld>>) =>
  (await admin.listOperations({ kind: 'account', accountId })).map(({ state }) => state);

test('renews in time, so that a slow operation is never marked uncertain', async () => {
  const world = await createEngineWorld();
  await startForever(world);
  const jobs = createJobs(world.engine, partsOf(world.engine));
  jobs.start();
  await world.clock.advance(600_000 - 1);
  expect(await stateOf(world)).toEqual(['processing']);
  await jobs.stop();
});

test('sweeps for other processes, too', async () => {
  const world = await createEngineWorld();
  await startForever(world);
  const another = world.another();
  const jobs = createJobs(another, partsOf(another));
  jobs.start();
  await world.clock.advance(world.engine.limits.leaseMs + world.engine.limits.sweepMs);
  expect(await stateOf(world)).toEqual(['uncertain']);
  await jobs.stop();
});

test('renews and does what it is notified of, and leaves what is due to the process that sweeps', async () => {
  const world = await createEngineWorld();
  await startForever(world);
  const own = createJobs(world.engine, partsOf(world.engine));
  own.start({ sweeps: 'when_notified' });
  const another = world.another();
  const jobs = createJobs(another, partsOf(another));
  jobs.start({ sweeps: 'when_notified' });
  const leaseEndMs = world.engine.limits.leaseMs + world.engine.limits.sweepMs;
  await world.clock.advance(leaseEndMs);
  expect(await stateOf(world)).toEqual(['processing']);
  expect(jobs.status()).toMatchObject({ isStarted: true, sweptAgoMs: null });
  await own.stop();
  await world.clock.advance(leaseEndMs);
  expect(await stateOf(world)).toEqual(['processing']);
  another.signals.workDue.notify();
  await world.clock.advance(1);
  expect(await stateOf(world)).toEqual(['uncertain']);
  await jobs.stop();
});

test('sweeps every five minutes where the process that sweeps is gone, and says at its start that it leaves sweeping to another one', async () => {
  const world = await createEngineWorld();
  await startForever(world);
  const lines: unknown[] = [];
  const note = (_message: string, fields?: unknown): void => void lines.push(fields);
  const another = world.another({ logger: { info: note, warn: note, error: note } });
  const jobs = createJobs(another, partsOf(another));
  jobs.start({ sweeps: 'when_notified' });
  expect(lines).toEqual([{ code: 'sweeps_rarely', sweepMs: 300_000 }]);
  await world.clock.advance(300_000 - 1);
  expect(await stateOf(world)).toEqual(['processing']);
  await world.clock.advance(1);
  expect(await stateOf(world)).toEqual(['uncertain']);
  const [operation] = await world.admin.listOperations({ kind: 'account', accountId: world.accountId });
  expect(lines.slice(1)).toEqual([{ code: 'leases_ended', markedUncertain: 1, operationIds: [operation?.id] }]);
  await jobs.stop();
});

test('starts its loops once, and stops them for good', async () => {
  const world = await createEngineWorld();
  const jobs = createJobs(world.engine, partsOf(world.engine));
  jobs.start();
  jobs.start();
  expect(world.clock.waiting()).toBe(3);
  await jobs.stop();
  expect(world.clock.waiting()).toBe(0);
  await world.clock.advance(60_000);
  expect(world.clock.waiting()).toBe(0);
});

test('can be started again after it was stopped', async () => {
  const world = await createEngineWorld();
  const jobs = createJobs(world.engine, partsOf(world.engine));
  jobs.start();
  await jobs.stop();
  jobs.start();
  expect(world.clock.waiting()).toBe(3);
  await jobs.stop();
});

test('waits for the round under way when it is stopped, and does not begin another', async () => {
  const world = await createEngineWorld();
  const held = openPromise<{ readonly kind: 'none' }>();
  const jobs = createJobs(world.engine, partsOf(world.engine));
  jobs.start();
  world.faults = (call) => (call.name === 'claim' ? held.promise : undefined);
  await world.clock.advance(world.engine.limits.sweepMs);
  let stopped = false;
  const stop = async () => {
    await jobs.stop();
    stopped = true;
  };
  const stopping = stop();
  await breathe();
  expect(stopped).toBe(false);
  held.resolve({ kind: 'none' });
  await stopping;
  expect(world.clock.waiting()).toBe(0);
});

test('tells the operator of a round that failed, and goes on', async () => {
  const world = await createEngineWorld();
  const jobs = createJobs(world.engine, partsOf(world.engine));
  jobs.start();
  let claims = 0;
  world.faults = (call) => {
    if (call.name !== 'claim') return undefined;
    claims += 1;
    return { kind: 'refused' };
  };
  await world.clock.advance(3 * world.engine.limits.sweepMs);
  expect(claims).toBe(3);
  expect(world.warnings).toEqual(Array.from({ length: 3 }, () => 'a background job failed'));
  await jobs.stop();
});

test('renews only what has been running since the last round, all of it in one step', async () => {
  const world = await createEngineWorld(1_000n);
  for (let started = 0; started < 5; started += 1) await startForever(world);
  let steps = 0;
  world.faults = (call) => {
    if (call.name === 'transact') steps += 1;
    return undefined;
  };
  await renewLeases(world.engine);
  expect(steps).toBe(0);
  await renewLeases(world.engine);
  expect(steps).toBe(1);
});

test('releases the hold of an unconfirmed opening [ledger:hold:taken-before-execution]', async () => {
  const world = await createEngineWorld();
  world.faults = firstSteps(2, { kind: 'unconfirmed' }, opens);
  await expect(world.run()).rejects.toThrow('unconfirmed');
  expect(await world.admin.readWallet(world.accountId)).toMatchObject({ reservedMicros: holdMicros });
  await releaseUnconfirmed(world.engine);
  expect(await stateOf(world)).toEqual(['failed']);
  expect(await world.admin.readWallet(world.accountId)).toMatchObject({ balanceMicros: 100n, reservedMicros: 0n });
  expect(world.executions()).toBe(0);
});

test('tries again to release what could not be released, and forgets what was never registered', async () => {
  const world = await createEngineWorld();
  world.faults = firstSteps(2, { kind: 'unconfirmed' }, opens);
  await expect(world.run()).rejects.toThrow('unconfirmed');
  world.faults = firstSteps(2, { kind: 'refused' }, opens);
  await expect(world.run()).rejects.toThrow('refused');
  world.faults = (call) => (call.name === 'read' ? { kind: 'refused' } : undefined);
  await releaseUnconfirmed(world.engine);
  expect(world.warnings).toEqual(Array.from({ length: 2 }, () => 'an unconfirmed opening could not be released yet'));
  world.faults = () => undefined;
  await releaseUnconfirmed(world.engine);
  expect(await stateOf(world)).toEqual(['failed']);
  expect(world.engine.running.takeUnconfirmed()).toEqual([]);
});

test('goes on at once while a sweep leaves due operations behind', async () => {
  const world = await createEngineWorld(10_000n, { limits: { sweepRoundsMax: 1 } });
  for (let started = 0; started < 150; started += 1) await startForever(world);
  const another = world.another();
  const worker = createJobs(another, partsOf(another));
  await world.clock.advance(world.engine.limits.leaseMs);
  worker.start();
  await world.clock.advance(world.engine.limits.sweepMs);
  const uncertain = await world.admin.listOperations({ kind: 'state', state: 'processing' });
  expect(uncertain).toEqual([]);
  await worker.stop();
});

test('renews every one of more operations than one step takes', async () => {
  const world = await createEngineWorld();
  const ids = Array.from({ length: 1_300 }, (_, at) => `running-${at}`);
  for (const id of ids) world.engine.running.add(id, 'this process');
  const steps: string[][] = [];
  world.faults = (call) => {
    if (call.name === 'transact') steps.push(call.keys.map((key) => key.id));
    return undefined;
  };
  await renewLeases(world.engine);
  await renewLeases(world.engine);
  expect(new Set(steps.flat())).toEqual(new Set(ids));
  expect(Math.max(...steps.map((step) => step.length))).toBeLessThanOrEqual(512);
});
