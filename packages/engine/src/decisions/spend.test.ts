import type { ApiKeyRecord, OperationRecord, SpendRecord } from '@tollgate/storage';
import { describe, expect, test } from 'vitest';
import {
  captureCommand,
  createDecisionWorld,
  evidence,
  extendCommand,
  failCommand,
  openCommand,
  settleCommand,
} from '../../test/decision-world.ts';
import { cancel } from './cancel.ts';
import { capture } from './capture.ts';
import { extend } from './extend.ts';
import { fail } from './fail.ts';
import { makeMove, type MoveCommand } from './host-moves.ts';
import { markUncertainStep } from './mark-uncertain.ts';
import { markUncertainCommand } from '../../test/decision-world.ts';
import { open, type OpenCommand } from './open.ts';
import { purgeSpend } from './purge-spend.ts';
import { register } from './register.ts';
import { settle } from './settle.ts';
import { unregister } from './unregister.ts';

type Cap = NonNullable<ApiKeyRecord['cap']>;

const total: Cap = { micros: '50', window: 'total', timeZone: 'UTC' };
const totalId = 'k1:total:all';

/** A key with a cap of 50 in all, on a wallet of 100 of which nothing is held. */
const capped = (cap: Cap | null = total) => {
  const world = createDecisionWorld(null);
  world.put('wallet', { ...world.wallet(), reservedMicros: 0n });
  const key = world.get('apiKey', 'k1');
  if (key === undefined) throw new Error('the world has a key');
  world.put('apiKey', { ...key, cap });
  const send = (change: Partial<OpenCommand> = {}) =>
    world.step(open(openCommand({ identity: null, keySpend: totalId, ...change })));
  const spend = (): SpendRecord | undefined => world.get('spend', totalId);
  const operation = (id = 'o1'): OperationRecord => {
    const found = world.get('operation', id);
    if (found === undefined) throw new Error(`no operation ${id}`);
    return found;
  };
  return { world, send, spend, operation };
};

describe('a cap', () => {
  test('is a hold in the step that opens, and the operation names what counts it', () => {
    const { send, spend, operation } = capped();
    expect(send()).toMatchObject({ kind: 'started' });
    expect(spend()).toMatchObject({ limitMicros: 50n, heldMicros: 30n, spentMicros: 0n, endsAtMs: null });
    expect(operation().spends).toEqual([totalId]);
  });

  test('covers its last micro-credit and not one more, and what it refuses leaves nothing', () => {
    const { world, send, spend } = capped();
    send();
    const rows = world.rows();
    expect(send({ operationId: 'o2', holdMicros: 21n })).toEqual({
      kind: 'refused',
      code: 'ai_key_budget_exceeded',
      detail:
        'The key may spend 0.00005 credits in all; 0.00003 are spent or reserved, and this request needs 0.000021.',
    });
    expect(world.rows()).toBe(rows);
    expect(world.wallet().reservedMicros).toBe(30n);
    expect(send({ operationId: 'o2', holdMicros: 20n })).toMatchObject({ kind: 'started' });
    expect(spend()).toMatchObject({ heldMicros: 50n });
  });

  test('of a key without one reads and writes nothing', () => {
    const { send, spend, operation } = capped(null);
    expect(send({ keySpend: null })).toMatchObject({ kind: 'started' });
    expect(spend()).toBeUndefined();
    expect(operation().spends).toBeNull();
  });

  test('is counted by the window of the storage clock: another record is named and nothing changed', () => {
    const { world, send } = capped({ ...total, window: 'day' });
    const rows = world.rows();
    const elsewhere = send();
    expect(elsewhere).toEqual({ kind: 'elsewhere', keySpend: 'k1:day:86400000' });
    expect(world.rows()).toBe(rows);
    expect(send({ keySpend: 'k1:day:86400000', holdMicros: 51n })).toMatchObject({
      kind: 'refused',
      detail: expect.stringContaining('The window ends at 1970-01-02T00:00:00.000Z.'),
    });
    expect(send({ keySpend: 'k1:day:86400000' })).toMatchObject({ kind: 'started' });
  });

  test('that was taken away counts no new operation, and goes on counting those that it counted', () => {
    const { world, send, spend } = capped();
    send();
    const key = world.get('apiKey', 'k1');
    if (key === undefined) throw new Error('the world has a key');
    world.put('apiKey', { ...key, cap: null });
    expect(send({ operationId: 'o2' })).toEqual({ kind: 'elsewhere', keySpend: null });
    expect(send({ operationId: 'o2', keySpend: null })).toMatchObject({ kind: 'started' });
    world.step(settle(settleCommand({ spends: [totalId] })));
    expect(spend()).toMatchObject({ heldMicros: 0n, spentMicros: 20n });
  });

  test('is corrected by the settlement', () => {
    const { world, send, spend } = capped();
    send();
    world.step(settle(settleCommand({ spends: [totalId] })));
    expect(spend()).toMatchObject({ heldMicros: 0n, spentMicros: 20n });
    expect(send({ operationId: 'o2', holdMicros: 30n })).toMatchObject({ kind: 'started' });
  });

  test('is free again where nothing ran', () => {
    const { world, send, spend } = capped();
    send();
    world.step(fail(failCommand({ spends: [totalId] })));
    expect(spend()).toMatchObject({ heldMicros: 0n, spentMicros: 0n });
  });

  test('is free again where work was cancelled before it began', () => {
    const { world, send, spend, operation } = capped();
    send();
    world.put('operation', { ...operation(), state: 'reserved', owner: null });
    const command = { operationId: 'o1', accountId: 'a1', recordKeptMs: 1_000, hostLedger: false };
    expect(world.step(cancel({ ...command, spends: [totalId] }))).toMatchObject({ kind: 'failed' });
    expect(spend()).toMatchObject({ heldMicros: 0n, spentMicros: 0n });
  });

  test('is kept by what is uncertain', () => {
    const { world, send, spend } = capped();
    send();
    world.step(markUncertainStep(markUncertainCommand()));
    expect(spend()).toMatchObject({ heldMicros: 30n, spentMicros: 0n });
    expect(send({ operationId: 'o2', holdMicros: 21n })).toMatchObject({ kind: 'refused' });
  });

  test('bounds a hold that grows, and counts a part that is captured', () => {
    const { world, send, spend } = capped();
    send();
    const spends = [totalId];
    expect(world.step(extend(extendCommand({ spends, holdMicros: 51n })))).toMatchObject({ kind: 'insufficient' });
    expect(world.step(extend(extendCommand({ spends, holdMicros: 50n })))).toMatchObject({ kind: 'extended' });
    expect(spend()).toMatchObject({ heldMicros: 50n });
    world.step(capture(captureCommand({ spends })));
    expect(spend()).toMatchObject({ heldMicros: 40n, spentMicros: 10n });
  });

  test('counts from the registration where the host keeps the wallet', () => {
    const { world, spend } = capped();
    const send = (id: string) =>
      world.step(register(openCommand({ operationId: id, identity: null, keySpend: totalId })));
    expect(send('o1')).toMatchObject({ kind: 'prepared', operation: { holdMicros: 30n, spends: [totalId] } });
    expect(spend()).toMatchObject({ heldMicros: 30n });
    expect(send('o2')).toMatchObject({ kind: 'refused', code: 'ai_key_budget_exceeded' });
  });

  test('is free again where the wallet of the host held nothing, and counts what it settles', () => {
    const { world, spend, operation } = capped();
    const spends = [totalId];
    const send = (id: string) =>
      world.step(register(openCommand({ operationId: id, identity: null, keySpend: totalId })));
    send('o1');
    expect(world.step(unregister(operation()))).toBe('gone');
    expect(spend()).toMatchObject({ heldMicros: 0n });
    send('o2');
    const { owner } = operation('o2');
    const move = (made: MoveCommand['move']) =>
      world.step(makeMove({ operationId: 'o2', accountId: 'a1', move: made, spends }));
    move({ kind: 'start', owner: owner ?? '', holdMicros: 30n, leaseMs: 60, queuedMs: null });
    move({ kind: 'begin_settling', pendingMicros: 20n, evidence, answerKeptMs: 60, leaseMs: 60, refusedMicros: null });
    expect(spend()).toMatchObject({ heldMicros: 30n, spentMicros: 0n });
    expect(move({ kind: 'complete', chargedMicros: 20n, answerKeptMs: 60 })).toMatchObject({ kind: 'moved' });
    expect(spend()).toMatchObject({ heldMicros: 0n, spentMicros: 20n });
  });

  test('of a token stands beside the one of its key: both count, and either refuses', () => {
    const { send, world, spend, operation } = capped();
    const budget = { id: 'token:t1', limitMicros: 40n, endsAtMs: 10_000 };
    expect(send({ budget })).toMatchObject({ kind: 'started' });
    expect(operation().spends).toEqual([totalId, 'token:t1']);
    expect(send({ budget, operationId: 'o2', holdMicros: 11n })).toMatchObject({
      kind: 'refused',
      detail: expect.stringContaining('The token may spend 0.00004 credits in all'),
    });
    world.step(settle(settleCommand({ spends: [totalId, 'token:t1'] })));
    expect(spend()).toMatchObject({ spentMicros: 20n });
    expect(world.get('spend', 'token:t1')).toMatchObject({ spentMicros: 20n, heldMicros: 0n });
  });

  test('of a token bounds a hold that grows, whatever its key may still spend', () => {
    const { send, world } = capped();
    send({ budget: { id: 'token:t1', limitMicros: 40n, endsAtMs: 10_000 } });
    const spends = [totalId, 'token:t1'];
    expect(world.step(extend(extendCommand({ spends, holdMicros: 41n })))).toMatchObject({ kind: 'insufficient' });
    expect(world.step(extend(extendCommand({ spends, holdMicros: 40n })))).toMatchObject({ kind: 'extended' });
    expect(world.get('spend', 'token:t1')).toMatchObject({ heldMicros: 40n });
  });

  test('that was changed holds for the next opening', () => {
    const { world, send } = capped();
    send();
    const key = world.get('apiKey', 'k1');
    if (key === undefined) throw new Error('the world has a key');
    world.put('apiKey', { ...key, cap: { ...total, micros: '35' } });
    expect(send({ operationId: 'o2', holdMicros: 6n })).toMatchObject({ kind: 'refused' });
    world.put('apiKey', { ...key, cap: { ...total, micros: '60' } });
    expect(send({ operationId: 'o2', holdMicros: 30n })).toMatchObject({ kind: 'started' });
  });
});

describe('a record of spending', () => {
  test('is forgotten long after its window, once nothing is held under it', () => {
    const { world, send, spend } = capped();
    send();
    const claimed = (): SpendRecord => {
      const record = spend();
      if (record === undefined) throw new Error('there is a record');
      world.put('spend', { ...record, owner: 'sweep' });
      return { ...record, owner: 'sweep' };
    };
    expect(world.step(purgeSpend({ ...claimed(), owner: 'another' }))).toBe('kept');
    expect(world.step(purgeSpend(claimed()))).toBe('kept');
    expect(spend()).toMatchObject({ owner: null, heldMicros: 30n });
    world.step(fail(failCommand({ spends: [totalId] })));
    expect(world.step(purgeSpend(claimed()))).toBe('purged');
    expect(spend()).toBeUndefined();
  });

  test('that is forgotten holds up no operation of its window', () => {
    const { world, send, operation } = capped();
    send();
    world.step({
      keys: [{ table: 'spend', id: totalId }],
      decide: () => ({ writes: [{ kind: 'delete', table: 'spend', id: totalId }], answer: null }),
    });
    world.step(settle(settleCommand({ spends: [totalId] })));
    expect(operation()).toMatchObject({ state: 'completed', chargedMicros: 20n });
  });
});
