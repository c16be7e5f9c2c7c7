import { createMemoryIdentities } from '@tollgate/testing/fakes';
import type { IdempotencyStore } from '@tollgate/storage';
import { expect, test } from 'vitest';
import {
  breathe,
  createEngineWorld,
  firstSteps,
  holdMicros,
  idOf,
  openPromise,
  opens,
} from '../../test/engine-world.ts';
import { releaseUnconfirmed } from '../jobs/jobs.ts';

test('executes once where the commit of the opening was not confirmed and the repeat finds it', async () => {
  const world = await createEngineWorld();
  world.faults = firstSteps(1, { kind: 'unconfirmed' }, opens);
  expect(await world.run({ identity: 'once' })).toMatchObject({ kind: 'completed' });
  expect(world.executions()).toBe(1);
  expect(await world.admin.readWallet(world.accountId)).toMatchObject({ balanceMicros: 95n, reservedMicros: 0n });
});

test('executes once where the first try never arrived', async () => {
  const world = await createEngineWorld();
  world.faults = firstSteps(1, { kind: 'refused' }, opens);
  expect(await world.run({ identity: 'once' })).toMatchObject({ kind: 'completed' });
  expect(world.executions()).toBe(1);
});

test('executes nothing where no try was confirmed, and remembers to release what may stand', async () => {
  const world = await createEngineWorld();
  world.faults = firstSteps(2, { kind: 'unconfirmed' }, opens);
  await expect(world.run()).rejects.toThrow('unconfirmed');
  expect(world.executions()).toBe(0);
  expect(world.engine.running.takeUnconfirmed()).toHaveLength(1);
});

test('has nothing to release where the storage was too busy to do anything', async () => {
  const world = await createEngineWorld();
  world.faults = firstSteps(1, { kind: 'busy' }, opens);
  await expect(world.run()).rejects.toMatchObject({ code: 'storage_busy' });
  expect(world.engine.running.takeUnconfirmed()).toEqual([]);
});

test('remembers to release where the storage became too busy after an unconfirmed try', async () => {
  const world = await createEngineWorld();
  const faults = [{ kind: 'unconfirmed' }, { kind: 'busy' }] as const;
  let opened = 0;
  world.faults = (call) => {
    if (!opens(call)) return undefined;
    opened += 1;
    return faults[opened - 1];
  };
  await expect(world.run()).rejects.toThrow('unconfirmed');
  await releaseUnconfirmed(world.engine);
  expect(await world.admin.readWallet(world.accountId)).toMatchObject({ balanceMicros: 100n, reservedMicros: 0n });
});

test('registers nothing for want of credits, so that the identity is free afterwards [idempotency:refused:not-consumed]', async () => {
  const world = await createEngineWorld(holdMicros - 1n);
  expect(await world.run({ identity: 'once' })).toMatchObject({ code: 'ai_insufficient_credits', requestId: null });
  expect(await world.admin.listOperations({ kind: 'account', accountId: world.accountId })).toEqual([]);
  await world.admin.deposit({ accountId: world.accountId, amountMicros: 1n, reference: 'more' });
  expect(await world.run({ identity: 'once', fingerprint: 'another' })).toMatchObject({ kind: 'completed' });
});

test('opens nothing for a model without a price list [ledger:precheck:missing-tariff]', async () => {
  const world = await createEngineWorld();
  expect(await world.run({ model: 'unpriced' })).toMatchObject({
    code: 'access_or_service_unavailable',
    requestId: null,
  });
});

test('has one winner among requests of one identity in one instant [idempotency:concurrency:one-execution]', async () => {
  const world = await createEngineWorld();
  const engines = [world.engine, world.another(), world.another()];
  const outcomes = await Promise.all(engines.map((engine) => world.runOn(engine, { identity: 'once' })));
  expect(world.executions()).toBe(1);
  expect(outcomes.filter(({ kind }) => kind === 'completed').length).toBeGreaterThan(0);
  expect(new Set(outcomes.map(idOf)).size).toBe(1);
});

test('admits exactly as many as the balance holds [ledger:concurrency:no-overdraft]', async () => {
  const world = await createEngineWorld(holdMicros * 3n);
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, () => world.run({ execute: async () => Number(holdMicros) })),
  );
  expect(outcomes.filter(({ kind }) => kind === 'completed')).toHaveLength(3);
  expect(await world.admin.readWallet(world.accountId)).toMatchObject({ balanceMicros: 0n, reservedMicros: 0n });
});

const claimWith = (identities: IdempotencyStore, changes: Partial<IdempotencyStore>): IdempotencyStore => ({
  ...identities,
  ...changes,
});

test("takes up a host's claim whose process died before it registered anything", async () => {
  const identities = createMemoryIdentities();
  const world = await createEngineWorld(100n, { identities });
  const claim = { projectId: world.projectId, identity: 'once', fingerprint: 'body', operationId: 'claimed-before' };
  await identities.claim(claim);
  expect(await world.run({ identity: 'once' })).toMatchObject({
    kind: 'completed',
    operation: { id: 'claimed-before' },
  });
  expect(await world.run({ identity: 'once' })).toMatchObject({ kind: 'completed', replayed: true });
  expect(world.executions()).toBe(1);
});

test('tells a conflict without a request id while nothing is registered under the claim', async () => {
  const identities = createMemoryIdentities();
  const world = await createEngineWorld(100n, { identities });
  await identities.claim({
    projectId: world.projectId,
    identity: 'once',
    fingerprint: 'other',
    operationId: 'elsewhere',
  });
  expect(await world.run({ identity: 'once' })).toMatchObject({ code: 'ai_idempotency_conflict', requestId: null });
  expect(identities.find(world.projectId, 'once')).toMatchObject({ operationId: 'elsewhere' });
});

test("gives a host's claim back where nothing was registered", async () => {
  const identities = createMemoryIdentities();
  const world = await createEngineWorld(0n, { identities });
  expect(await world.run({ identity: 'once' })).toMatchObject({ code: 'ai_insufficient_credits' });
  expect(identities.find(world.projectId, 'once')).toBeUndefined();
});

test('executes once though a refused request gives back the claim under which another one opens', async () => {
  const memory = createMemoryIdentities();
  const held = openPromise<undefined>();
  let holds = true;
  const identities = claimWith(memory, {
    claim: async (claim) => {
      const answer = await memory.claim(claim);
      // The claimer is slow between its claim and its opening.
      if (holds && answer.kind === 'claimed') {
        holds = false;
        await held.promise;
      }
      return answer;
    },
  });
  const world = await createEngineWorld(0n, { identities });
  const slow = world.run({ identity: 'once' });
  await breathe();
  expect(await world.run({ identity: 'once' })).toMatchObject({ code: 'ai_insufficient_credits' });
  await world.admin.deposit({ accountId: world.accountId, amountMicros: 100n, reference: 'more' });
  held.resolve(undefined);
  const outcome = await slow;
  expect(await world.run({ identity: 'once' })).toMatchObject({ replayed: true, operation: { id: idOf(outcome) } });
  expect(world.executions()).toBe(1);
});

test('does not take the operation of another request of its process for its own', async () => {
  const identities = createMemoryIdentities();
  const world = await createEngineWorld(100n, { identities });
  const provider = openPromise<number>();
  const first = world.run({ identity: 'once', execute: () => provider.promise });
  await breathe();
  world.faults = firstSteps(1, { kind: 'refused' }, opens);
  expect(await world.run({ identity: 'once' })).toMatchObject({ code: 'request_in_progress' });
  provider.resolve(5);
  expect(await first).toMatchObject({ kind: 'completed' });
  expect(world.executions()).toBe(1);
});

test('does not release the operation of another request when its own opening was not confirmed', async () => {
  const identities = createMemoryIdentities();
  const world = await createEngineWorld(100n, { identities });
  const provider = openPromise<number>();
  const first = world.run({ identity: 'once', execute: () => provider.promise });
  await breathe();
  world.faults = firstSteps(2, { kind: 'refused' }, opens);
  await expect(world.run({ identity: 'once' })).rejects.toThrow('refused');
  await releaseUnconfirmed(world.engine);
  provider.resolve(5);
  expect(await first).toMatchObject({ kind: 'completed', operation: { chargedMicros: 5n } });
});
