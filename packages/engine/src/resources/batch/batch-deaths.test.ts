import { createFaultyStorage, type Fault, type FaultedCall } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import {
  batchProvider,
  createBatch,
  doWork,
  findBatch,
  itemStates,
  resultsOf,
  registerBatches,
} from '../../../test/batch-world.ts';
import { breathe, createEngineWorld } from '../../../test/engine-world.ts';
import { sweep, workersOf } from '../../../test/process-parts.ts';

const keys = ['a', 'b', 'c', 'd', 'e'];
const tokens: Readonly<Record<string, number>> = { a: 1, b: 2, c: 3, d: 4, e: 5 };

/** A process that dies at its call number `at` to the storage: it applies or not, and nothing of it is heard again. */
const dyingAt = (at: number, fault: Fault) => {
  let calls = 0;
  return {
    before: (_: FaultedCall): Fault => {
      calls += 1;
      if (calls < at) return { kind: 'none' };
      return calls === at ? fault : { kind: 'lost' };
    },
    isDead: () => calls >= at,
    calls: () => calls,
  };
};

const runUntilDeath = async (at: number, kind: 'lost' | 'unanswered', itemsAtOnce: number) => {
  const world = await createEngineWorld();
  const death = dyingAt(at, { kind });
  const dying = world.another({ storage: createFaultyStorage(world.storage, { before: death.before }) });
  const { provider, handed } = batchProvider(async (key) => {
    await breathe();
    return tokens[key] ?? 0;
  });
  // What a dead process hands over is nothing.
  const alive = batchProvider(() => Promise.reject(new Error('a dead process called')));
  registerBatches(
    dying,
    {
      ...provider,
      generate: (call, context) =>
        (death.isDead() ? alive.provider : provider).generate?.(call, context) ?? Promise.reject(new Error()),
    },
    { itemsAtOnce },
  );
  const id = await createBatch(world, keys);
  void sweep(dying);
  for (let turn = 0; turn < 60; turn += 1) await breathe();
  const died = death.isDead();
  const other = world.another();
  registerBatches(other, provider, { itemsAtOnce });
  for (let round = 0; round < 4; round += 1) {
    await world.clock.advance(world.engine.limits.leaseMs + 1);
    await doWork(other);
  }
  return { world, id, handed, died };
};

/** Whatever happened, nothing ran twice, and what is charged is what was measured. */
const check = async ({ world, id, handed }: Awaited<ReturnType<typeof runUntilDeath>>, at: string): Promise<void> => {
  const states = await itemStates(world, id);
  for (const [key, times] of handed) expect(times, `${at}: ${key}`).toBe(1);
  const sum = keys.reduce((micros, key) => micros + (states[key] === 'completed' ? BigInt(tokens[key] ?? 0) : 0n), 0n);
  const { operation } = await findBatch(world, id);
  const uncertain = Object.values(states).includes('unknown');
  expect(operation.state, at).toBe(uncertain ? 'uncertain' : 'completed');
  for (const [key, state] of Object.entries(states)) expect(`${key} ${state}`, at).toMatch(/completed|unknown/);
  if (uncertain) {
    expect(operation, at).toMatchObject({ holdMicros: 25n, chargedMicros: 0n });
    expect(await resultsOf(world, id), at).toBeNull();
    expect((await world.admin.resolveOperation(id, { executed: true })).kind, at).toBe('resolved');
  }
  expect((await findBatch(world, id)).operation, at).toMatchObject({ state: 'completed', chargedMicros: sum });
  expect(Object.keys((await resultsOf(world, id)) ?? {}), at).toEqual(keys);
  expect((await world.admin.audit()).violations, at).toEqual([]);
};

test.each([
  ['lost', 1],
  ['lost', 3],
  ['unanswered', 1],
  ['unanswered', 3],
] as const)(
  'runs no item twice and charges its measures, whichever call its worker dies in (%s, %s at once) [batches:tariff:per-item]',
  async (kind, itemsAtOnce) => {
    let deaths = 0;
    for (let at = 1; ; at += 1) {
      const run = await runUntilDeath(at, kind, itemsAtOnce);
      if (!run.died) break;
      deaths += 1;
      await check(run, `${kind} at call ${at}`);
    }
    expect(deaths).toBeGreaterThan(10);
  },
);

test('begins items later that could not be read, for nothing of them ran', async () => {
  const world = await createEngineWorld();
  const { provider, handed } = batchProvider((key) => Promise.resolve(tokens[key] ?? 0));
  registerBatches(world.engine, provider);
  const id = await createBatch(world, ['a', 'b']);
  world.faults = ({ name }) => (name === 'getStream' ? { kind: 'refused' } : undefined);
  await sweep(world.engine);
  const idle = workersOf(world.engine).idle();
  await world.clock.advance(10_000);
  await idle;
  expect(await itemStates(world, id)).toEqual({ a: 'waiting', b: 'waiting' });
  world.faults = () => undefined;
  await world.clock.advance(10_000);
  await doWork(world.engine);
  expect((await findBatch(world, id)).operation).toMatchObject({ state: 'completed', chargedMicros: 3n });
  expect([...handed.values()]).toEqual([1, 1]);
});

test('takes an outcome that is reported while another worker marks the batch uncertain', async () => {
  const world = await createEngineWorld();
  const late = Promise.withResolvers<number>();
  const { provider, handed } = batchProvider((key) => (key === 'a' ? late.promise : Promise.resolve(tokens[key] ?? 0)));
  registerBatches(world.engine, provider);
  const id = await createBatch(world, ['a', 'b']);
  await sweep(world.engine);
  await world.clock.advance(world.engine.limits.leaseMs + 1);
  const uncertain = Promise.withResolvers<void>();
  const mayBeUncertain = Promise.withResolvers<{ readonly kind: 'none' }>();
  const before = (call: FaultedCall): Fault | Promise<Fault> => {
    if (!call.keys.some(({ table }) => table === 'answer')) return { kind: 'none' };
    uncertain.resolve();
    return mayBeUncertain.promise;
  };
  const other = world.another({ storage: createFaultyStorage(world.storage, { before }) });
  registerBatches(other, provider);
  await sweep(other);
  await uncertain.promise;
  late.resolve(1);
  await workersOf(world.engine).idle();
  expect(await itemStates(world, id)).toEqual({ a: 'completed', b: 'completed' });
  // Of the worker that marks it, and of no other.
  expect(world.warnings).toEqual(['outcome unknown']);
  mayBeUncertain.resolve({ kind: 'none' });
  await workersOf(other).idle();
  expect((await findBatch(world, id)).operation).toMatchObject({ state: 'completed', chargedMicros: 3n });
  expect(Object.keys((await resultsOf(world, id)) ?? {})).toEqual(['a', 'b']);
  expect([...handed.values()]).toEqual([1, 1]);
});

test('takes the truth of a worker that was believed dead, and hands over nothing more for it', async () => {
  const world = await createEngineWorld();
  const late = Promise.withResolvers<number>();
  const entered = Promise.withResolvers<void>();
  const { provider, handed } = batchProvider((key) => {
    if (key !== 'a') return Promise.resolve(tokens[key] ?? 0);
    entered.resolve();
    return late.promise;
  });
  registerBatches(world.engine, provider, { itemsAtOnce: 1 });
  const id = await createBatch(world, ['a', 'b']);
  await sweep(world.engine);
  await entered.promise;
  await world.clock.advance(world.engine.limits.leaseMs + 1);
  const other = world.another();
  registerBatches(other, provider);
  await doWork(other);
  expect(await itemStates(world, id)).toEqual({ a: 'unknown', b: 'completed' });
  late.resolve(1);
  await workersOf(world.engine).idle();
  expect(await itemStates(world, id)).toEqual({ a: 'completed', b: 'completed' });
  expect(handed).toEqual(
    new Map([
      ['a', 1],
      ['b', 1],
    ]),
  );
  expect((await findBatch(world, id)).operation).toMatchObject({ state: 'completed', chargedMicros: 3n });
});
