import { createMemoryLedger } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { breathe, createEngineWorld, holdMicros, openPromise } from '../../test/engine-world.ts';
import { markRunningUncertain } from './running.ts';

test('says of everything that runs that its outcome is unknown, and keeps the holds [ledger:uncertain:keeps-hold]', async () => {
  const world = await createEngineWorld();
  for (let started = 0; started < 3; started += 1) void world.run({ execute: () => new Promise(() => {}) });
  await breathe();
  expect(await markRunningUncertain(world.engine)).toBe(3);
  const operations = await world.admin.listOperations({ kind: 'state', state: 'uncertain' });
  expect(operations.map((operation) => operation.holdMicros)).toEqual([holdMicros, holdMicros, holdMicros]);
  expect(await world.admin.readWallet(world.accountId)).toMatchObject({ reservedMicros: 3n * holdMicros });
});

test('keeps what was sent of an answer, and leaves what a later end says of it', async () => {
  const world = await createEngineWorld();
  const provider = openPromise<number>();
  const sent = { partialAnswer: () => ({ body: '{"half":1}', toolContexts: [] }) };
  const outcome = world.run({ ...sent, execute: () => provider.promise });
  void world.run({ partialAnswer: () => null, execute: () => new Promise(() => {}) });
  void world.run({
    partialAnswer: () => {
      throw new Error('a defect');
    },
    execute: () => new Promise(() => {}),
  });
  await breathe();
  expect(await markRunningUncertain(world.engine)).toBe(3);
  const operations = await world.admin.listOperations({ kind: 'state', state: 'uncertain' });
  expect(operations.map(({ answer }) => answer).toSorted()).toEqual(['none', 'none', 'partial']);
  const id = operations.find(({ answer }) => answer === 'partial')?.id ?? '';
  expect(await world.admin.readStoredAnswer(id)).toEqual({ text: '{"half":1}', partial: true });
  expect(await markRunningUncertain(world.engine)).toBe(3);
  provider.resolve(5);
  expect(await outcome).toMatchObject({ kind: 'completed', operation: { answer: 'stored' } });
});

test('logs the defect for which what was sent of an answer cannot be read', async () => {
  const lines: object[] = [];
  const logger = {
    info: () => {},
    warn: () => {},
    error: (_: string, fields?: object) => void lines.push(fields ?? {}),
  };
  const world = await createEngineWorld(100n, { logger });
  const cause = new Error('a defect');
  const partialAnswer = () => {
    throw cause;
  };
  void world.run({ partialAnswer, execute: () => new Promise(() => {}) });
  await breathe();
  await markRunningUncertain(world.engine);
  const [operation] = await world.admin.listOperations({ kind: 'state', state: 'uncertain' });
  expect(lines).toEqual([{ requestId: undefined, operationId: operation?.id, cause }]);
});

test('marks nothing where nothing runs', async () => {
  const world = await createEngineWorld();
  await world.run();
  expect(await markRunningUncertain(world.engine)).toBe(0);
});

test('does not stand in the way of an answer that comes at the last moment', async () => {
  const world = await createEngineWorld();
  const provider = openPromise<number>();
  const outcome = world.run({ execute: () => provider.promise });
  await breathe();
  await markRunningUncertain(world.engine);
  provider.resolve(5);
  expect(await outcome).toMatchObject({ kind: 'completed', operation: { chargedMicros: 5n } });
});

test("leaves a settlement with a host's ledger to the sweep, for the ledger may have it already", async () => {
  const ledger = createMemoryLedger();
  const held = openPromise<undefined>();
  const slow = {
    ...ledger,
    settle: async (command: Parameters<typeof ledger.settle>[0]) => {
      await held.promise;
      return ledger.settle(command);
    },
  };
  const world = await createEngineWorld(0n, { ledger: slow });
  ledger.deposit(world.accountId, 100n);
  const outcome = world.run();
  await breathe();
  await markRunningUncertain(world.engine);
  const [operation] = await world.admin.listOperations({ kind: 'account', accountId: world.accountId });
  expect(operation).toMatchObject({ state: 'settling', pendingMicros: 5n });
  expect(operation?.dueAtMs).not.toBeNull();
  held.resolve(undefined);
  expect(await outcome).toMatchObject({ kind: 'completed' });
});
