import { expect, test } from 'vitest';
import { createDecisionWorld, operationRecord, resourceRecord } from '../../test/decision-world.ts';
import { changeTtl, type ChangeTtlCommand } from './change-ttl.ts';

const resource = resourceRecord({
  kind: 'cache',
  availability: 'active',
  publicFields: { name: 'kept' },
  expiresAtMs: 2_000,
});

const changing = () => {
  const world = createDecisionWorld(operationRecord({ kind: 'cache', owner: null, dueAtMs: 2_000 }));
  world.put('resource', resource);
  world.put('pendingBlob', { id: 'b1', owner: null, dueAtMs: 2_000 });
  world.put('pendingBlob', { id: 'b2', owner: 'sweep:s1', dueAtMs: 2_000 });
  const send = (change: Partial<ChangeTtlCommand> = {}) =>
    world.step(
      changeTtl({
        operationId: 'o1',
        accountId: 'a1',
        ttlMs: 4_000,
        holdFor: () => 40n,
        blobKeys: ['b1', 'b2', 'b3'],
        marginMs: 50,
        step: 'apply',
        hostHoldMicros: null,
        publicFields: { ttl: '4s' },
        ...change,
      }),
    ).kind;
  return { world, send };
};

test('a new time changes the hold, the record and the time of the bytes that it needs', () => {
  const { world, send } = changing();
  expect(send()).toBe('ttl_changed');
  expect(world.operation()).toMatchObject({ holdMicros: 40n, dueAtMs: 5_000, updatedAtMs: 1_000 });
  expect(world.wallet().reservedMicros).toBe(40n);
  expect(world.get('resource', 'o1')).toMatchObject({
    publicFields: { name: 'kept', ttl: '4s' },
    expiresAtMs: 5_000,
    updatedAtMs: 1_000,
  });
  expect(world.get('pendingBlob', 'b1')).toEqual({ id: 'b1', owner: null, dueAtMs: 5_050 });
  expect(world.get('pendingBlob', 'b2')).toEqual({ id: 'b2', owner: 'sweep:s1', dueAtMs: 2_000 });
  expect(world.get('pendingBlob', 'b3')).toBeUndefined();
});

test('a wallet is left alone where the hold stays as it is', () => {
  const { world, send } = changing();
  const before = world.wallet();
  expect(send({ holdFor: () => 30n })).toBe('ttl_changed');
  expect(world.wallet()).toEqual(before);
});

test('the hold is raised before the upstream is asked, and is not lowered before it answered', () => {
  const { world, send } = changing();
  expect(send({ step: 'reserve' })).toBe('ttl_changed');
  expect(world.operation()).toMatchObject({ holdMicros: 40n, dueAtMs: 2_000, updatedAtMs: 1_000 });
  expect(world.get('resource', 'o1')).toEqual(resource);
  expect(send({ step: 'reserve', holdFor: () => 5n })).toBe('ttl_changed');
  expect(world.operation().holdMicros).toBe(40n);
  expect(send({ holdFor: () => 5n })).toBe('ttl_changed');
  expect(world.operation().holdMicros).toBe(5n);
  expect(world.wallet().reservedMicros).toBe(5n);
});

test('a hold that the free balance does not cover changes nothing, and one that takes all of it does', () => {
  const { world, send } = changing();
  expect(send({ holdFor: () => 101n })).toBe('insufficient');
  expect(world.operation()).toEqual(operationRecord({ kind: 'cache', owner: null, dueAtMs: 2_000 }));
  expect(send({ holdFor: () => 100n })).toBe('ttl_changed');
});

test('the wallet of a host is not touched, whose hold is set as it is', () => {
  const { world, send } = changing();
  const before = world.wallet();
  expect(send({ hostHoldMicros: 77n })).toBe('ttl_changed');
  expect(world.operation().holdMicros).toBe(77n);
  expect(world.wallet()).toEqual(before);
});

test('what a raise holds counts for the cap of the key, in both steps', () => {
  const counted = { id: 'k1:total:all', limitMicros: 50n, spentMicros: 0n } as const;
  const spend = { ...counted, endsAtMs: null, owner: null, dueAtMs: null, seq: 1 };
  for (const step of ['reserve', 'apply'] as const) {
    const { world, send } = changing();
    world.put('operation', { ...world.operation(), spends: ['k1:total:all'] });
    world.put('spend', { ...spend, heldMicros: 30n });
    expect(send({ step, spends: ['k1:total:all'], holdFor: () => 51n })).toBe('insufficient');
    expect(send({ step, spends: ['k1:total:all'] })).toBe('ttl_changed');
    expect(world.get('spend', 'k1:total:all')?.heldMicros).toBe(40n);
  }
});

test('what has expired, is in the hands of a worker or is not usable yet keeps its time', () => {
  const { world, send } = changing();
  world.put('resource', { ...resource, expiresAtMs: 1_000 });
  expect(send()).toBe('missing');
  world.put('resource', { ...resource, expiresAtMs: 1_001 });
  world.put('operation', { ...world.operation(), owner: 'w1' });
  expect(send()).toBe('missing');
  world.put('operation', { ...world.operation(), owner: null });
  world.put('resource', { ...resource, availability: 'follows' });
  expect(send()).toBe('missing');
});
