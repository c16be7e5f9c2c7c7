import { describe, expect, test } from 'vitest';
import type { OperationRecord } from '@tollgate/storage';
import { createDecisionWorld, operationRecord, resourceRecord } from '../../test/decision-world.ts';
import { purge, purgeToolContext } from './purge.ts';

const ended: Partial<OperationRecord> = {
  state: 'completed',
  holdMicros: 0n,
  chargedMicros: 20n,
  answer: 'stored',
  owner: 'sweep',
  endedAtMs: 900,
};

const purging = (operation: Partial<OperationRecord> = ended) => {
  const record = operationRecord(operation);
  const world = createDecisionWorld(record);
  world.put('answer', { id: 'o1', body: '{}', bytes: 2, division: null, createdAtMs: 900 });
  world.put('identity', { id: 'p1:i1', operationId: 'o1', fingerprint: 'f1', createdAtMs: 100 });
  const send = (recordKeptMs: number | null, claimed = record) => {
    const command = { operation: claimed, recordKeptMs };
    return world.step(purge(command));
  };
  return { world, send };
};

const usableCache = resourceRecord({ kind: 'cache', listing: 'p1/cache', availability: 'active' });

describe('purge', () => {
  test('takes the answer first, and keeps record and identity, so that it never runs again [idempotency:replay:purged] [idempotency:retention]', () => {
    const { world, send } = purging();
    expect(send(5_000)).toBe('answer_purged');
    expect(world.get('answer', 'o1')).toBeUndefined();
    expect(world.operation()).toMatchObject({ answer: 'purged', owner: null, dueAtMs: 5_100, chargedMicros: 20n });
    expect(world.get('identity', 'p1:i1')).toBeDefined();
  });

  test('leaves what the operation carried with the account', () => {
    const { world, send } = purging({ ...ended, carriedPicos: -300_000 });
    world.put('wallet', { ...world.wallet(), remainderPicos: 200_000, purgedPicos: 500_000 });
    const { seq } = world.wallet();
    world.nowMs = 5_100;
    expect(send(5_000)).toBe('record_removed');
    expect(world.wallet()).toMatchObject({ remainderPicos: 200_000, purgedPicos: 200_000, seq });
  });

  test('takes record and identity together when their time has come', () => {
    const { world, send } = purging();
    world.nowMs = 5_099;
    expect(send(5_000)).toBe('answer_purged');
    world.nowMs = 5_100;
    expect(send(5_000, world.operation())).toBe('record_removed');
    expect(world.get('operation', 'o1')).toBeUndefined();
    expect(world.get('identity', 'p1:i1')).toBeUndefined();
    expect(send(5_000)).toBe('kept');
  });

  test('keeps records for ever where the host wants it so', () => {
    const { world, send } = purging();
    world.nowMs = 8_000_000_000_000;
    expect(send(null)).toBe('answer_purged');
    expect(world.operation().dueAtMs).toBeNull();
  });

  test('says of an operation without an answer that there never was one', () => {
    const { world, send } = purging({ ...ended, state: 'failed', chargedMicros: 0n, answer: 'none' });
    send(5_000);
    expect(world.operation().answer).toBe('none');
  });

  test('leaves what has not ended, and what another worker has claimed meanwhile', () => {
    expect(purging({ state: 'uncertain', owner: 'sweep' }).send(0)).toBe('kept');
    expect(purging().send(0, operationRecord({ ...ended, owner: 'another sweep' }))).toBe('kept');
  });

  test('keeps the record of what can be used, and not of what was usable and has failed', () => {
    const kept = purging({ ...ended, kind: 'cache' });
    kept.world.put('resource', usableCache);
    expect(kept.send(1)).toBe('answer_purged');
    expect(kept.world.operation().dueAtMs).toBeNull();
    const failed = purging({ ...ended, kind: 'cache', state: 'failed' });
    failed.world.put('resource', usableCache);
    expect(failed.send(1)).toBe('record_removed');
  });

  test('removes an operation without an identity by itself', () => {
    const { world, send } = purging({ ...ended, identity: null });
    expect(send(1)).toBe('record_removed');
    expect(world.get('identity', 'p1:i1')).toBeDefined();
  });
});

test('removes a tool context that was outlived, unless another worker has claimed it', () => {
  const world = createDecisionWorld(null);
  const context = { id: 'p1:call', context: 'opaque', owner: 'sweep', dueAtMs: 1 };
  const purgeAs = (owner: string) => world.step(purgeToolContext({ ...context, owner }));
  world.put('toolContext', context);
  expect(purgeAs('another sweep')).toBe(false);
  expect(purgeAs('sweep')).toBe(true);
  expect(world.get('toolContext', context.id)).toBeUndefined();
  expect(purgeAs('sweep')).toBe(false);
});

test('a large answer leaves its row, and its bytes without an owner', () => {
  const { world, send } = purging();
  world.put('answer', { id: 'o1', body: null, bytes: 9_000_000, division: null, createdAtMs: 900 });
  expect(send(5_000)).toBe('answer_purged');
  expect(world.get('answer', 'o1')).toBeUndefined();
  expect(world.get('pendingBlob', 'answers/o1')).toEqual({ id: 'answers/o1', owner: null, dueAtMs: 1_000 });
});
