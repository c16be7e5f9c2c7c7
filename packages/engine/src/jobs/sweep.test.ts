import { expect, test } from 'vitest';
import {
  breathe,
  createEngineWorld,
  holdMicros,
  idOf,
  openPromise,
  type EngineWorld,
} from '../../test/engine-world.ts';
import { depositStep } from '../decisions/deposit.ts';
import { renewLeases, sweep } from '../../test/process-parts.ts';
import { commitOnce } from '../operations/persist.ts';

const nothing = { markedUncertain: 0, resumed: 0, settled: 0, purged: 0, more: false };

/** Starts an operation whose provider does not answer before the promise does. */
const startSlow = async (world: EngineWorld) => {
  const provider = openPromise<number>();
  const outcome = world.run({ execute: () => provider.promise });
  await breathe();
  return { outcome, answer: provider.resolve };
};

const firstOperation = async ({ admin, accountId }: EngineWorld) => {
  const [operation] = await admin.listOperations({ kind: 'account', accountId });
  if (operation === undefined) throw new Error('no operation');
  return operation;
};

/** Tops up behind the engine's back, so that only a sweep can notice. */
const topUpQuietly = async ({ storage, accountId }: EngineWorld, amountMicros: bigint): Promise<void> => {
  const command = { accountId, kind: 'deposit', amountMicros, reference: 'quiet', operationId: null } as const;
  await commitOnce({ storage }, depositStep(command));
};

test('marks uncertain what is not renewed, and keeps its hold [requests:move:processing-uncertain] [ledger:uncertain:keeps-hold]', async () => {
  const world = await createEngineWorld();
  await startSlow(world);
  await world.clock.advance(world.engine.limits.leaseMs);
  expect(await sweep(world.another())).toEqual({ ...nothing, markedUncertain: 1 });
  expect(await firstOperation(world)).toMatchObject({
    state: 'uncertain',
    holdMicros,
    errorCode: 'settlement_pending',
  });
  expect(await world.admin.readWallet(world.accountId)).toMatchObject({ reservedMicros: holdMicros });
});

test('leaves an operation alone while its lease lasts', async () => {
  const world = await createEngineWorld();
  await startSlow(world);
  await world.clock.advance(world.engine.limits.leaseMs - 1);
  expect(await sweep(world.another())).toEqual(nothing);
  expect(await firstOperation(world)).toMatchObject({ state: 'processing' });
});

test('never takes a slow operation whose process renews its lease', async () => {
  const world = await createEngineWorld();
  const { outcome, answer } = await startSlow(world);
  for (let round = 0; round < 12; round += 1) {
    await world.clock.advance(world.engine.limits.renewMs);
    await renewLeases(world.engine);
    expect(await sweep(world.another())).toEqual(nothing);
  }
  answer(5);
  expect(await outcome).toMatchObject({ kind: 'completed' });
});

test('lets go of an operation that is renewed after it was claimed', async () => {
  const world = await createEngineWorld();
  await startSlow(world);
  await renewLeases(world.engine);
  await world.clock.advance(world.engine.limits.leaseMs);
  let marks = 0;
  const renewed = async () => {
    await renewLeases(world.engine);
    return { kind: 'none' } as const;
  };
  world.faults = (call) => {
    if (call.name !== 'transact') return undefined;
    marks += 1;
    // The first step is the mark of the sweep, held back until the process has renewed.
    return marks === 1 ? renewed() : undefined;
  };
  expect(await sweep(world.another())).toEqual(nothing);
  expect(await firstOperation(world)).toMatchObject({ state: 'processing', owner: world.engine.owner });
});

test('takes the truth that comes after the mark [requests:move:uncertain-resolved]', async () => {
  const world = await createEngineWorld();
  const { outcome, answer } = await startSlow(world);
  await world.clock.advance(world.engine.limits.leaseMs);
  await sweep(world.another());
  answer(7);
  expect(await outcome).toMatchObject({ kind: 'completed', operation: { chargedMicros: 7n } });
  expect(await world.admin.readWallet(world.accountId)).toMatchObject({ balanceMicros: 93n, reservedMicros: 0n });
});

test('settles what waited for balance as soon as the balance covers it [ledger:overrun:resolves]', async () => {
  const world = await createEngineWorld(holdMicros);
  expect(await world.run({ execute: async () => 15 })).toMatchObject({ code: 'settlement_pending' });
  await world.clock.advance(world.engine.limits.settlementRetryMs);
  expect(await sweep(world.engine)).toEqual(nothing);
  await topUpQuietly(world, 5n);
  await world.clock.advance(world.engine.limits.settlementRetryMs);
  expect(await sweep(world.engine)).toEqual({ ...nothing, settled: 1 });
  expect(await firstOperation(world)).toMatchObject({ state: 'completed', chargedMicros: 15n, pendingMicros: null });
});

test('works through more due operations than one claim takes', async () => {
  const world = await createEngineWorld(10_000n);
  for (let started = 0; started < 150; started += 1) void world.run({ execute: () => new Promise(() => {}) });
  await breathe();
  await world.clock.advance(world.engine.limits.leaseMs);
  expect(await sweep(world.another())).toEqual({ ...nothing, markedUncertain: 150 });
});

test('goes on when one operation cannot be processed, and processes it when the claim has run out', async () => {
  const world = await createEngineWorld();
  await startSlow(world);
  await startSlow(world);
  await world.clock.advance(world.engine.limits.leaseMs);
  let faulted = false;
  world.faults = (call) => {
    if (call.name !== 'transact' || faulted) return undefined;
    faulted = true;
    return { kind: 'refused' };
  };
  const sweeper = world.another();
  expect(await sweep(sweeper)).toEqual({ ...nothing, markedUncertain: 1 });
  expect(world.warnings).toContain('a due operation could not be processed');
  expect(await sweep(sweeper)).toEqual(nothing);
  await world.clock.advance(world.engine.limits.leaseMs);
  expect(await sweep(sweeper)).toEqual({ ...nothing, markedUncertain: 1 });
});

test('fails by age what the host wants failed', async () => {
  const world = await createEngineWorld(100n, { decideUncertain: { afterMs: 3_600_000, verdict: 'fail' } });
  const outcome = await world.run({ execute: () => Promise.reject(new Error('broken line')) });
  await world.clock.advance(3_599_999);
  expect(await sweep(world.engine)).toEqual(nothing);
  await world.clock.advance(1);
  expect(await sweep(world.engine)).toEqual({ ...nothing, resumed: 1 });
  expect(await world.admin.readOperation(idOf(outcome))).toMatchObject({ state: 'failed', chargedMicros: 0n });
  expect(await world.admin.readWallet(world.accountId)).toMatchObject({ balanceMicros: 100n, reservedMicros: 0n });
});

test('charges the hold by age where the host wants that', async () => {
  const world = await createEngineWorld(100n, { decideUncertain: { afterMs: 1_000, verdict: 'charge_hold' } });
  const outcome = await world.run({ execute: () => Promise.reject(new Error('broken line')) });
  await world.clock.advance(1_000);
  expect(await sweep(world.engine)).toEqual({ ...nothing, settled: 1 });
  expect(await world.admin.readOperation(idOf(outcome))).toMatchObject({
    state: 'completed',
    chargedMicros: holdMicros,
  });
});

test('leaves uncertain operations to the operator where the host says nothing', async () => {
  const world = await createEngineWorld();
  const outcome = await world.run({ execute: () => Promise.reject(new Error('broken line')) });
  await world.clock.advance(30 * 24 * 3_600_000);
  expect(await sweep(world.engine)).toEqual(nothing);
  expect(await world.admin.readOperation(idOf(outcome))).toMatchObject({ state: 'uncertain', holdMicros });
});
