import { describe, expect, test } from 'vitest';
import { createDecisionWorld, openCommand } from '../../test/decision-world.ts';
import { open, type OpenCommand } from './open.ts';
import { emptyWallet } from './wallet.ts';

const opened = (change: Partial<OpenCommand> = {}) => {
  const world = createDecisionWorld(null);
  const send = (again: Partial<OpenCommand> = {}) => {
    const command = openCommand({ ...change, ...again });
    return world.step(open(command));
  };
  return { world, send };
};

const operationKey = (repeated: boolean) =>
  open(openCommand({ repeated })).keys.find(({ table }) => table === 'operation');

describe('open', () => {
  test('reserves the estimate before anything runs, and debits nothing [ledger:hold:taken-before-execution] [ledger:hold:not-a-charge]', () => {
    const { world, send } = opened();
    expect(send()).toMatchObject({ kind: 'started', walletSeq: 3 });
    expect(world.wallet()).toMatchObject({ balanceMicros: 100n, reservedMicros: 30n, seq: 3 });
    expect(world.entries()).toEqual([]);
    expect(world.operation()).toMatchObject({
      state: 'processing',
      holdMicros: 30n,
      chargedMicros: 0n,
      dueAtMs: 31_000,
    });
  });

  test('takes the last micro-credit that is free, and not one more [ledger:concurrency:no-overdraft]', () => {
    expect(opened({ holdMicros: 100n }).send()).toMatchObject({ kind: 'started' });
    expect(opened({ holdMicros: 101n }).send()).toEqual({ kind: 'insufficient', availableMicros: 100n, walletSeq: 2 });
  });

  test('refuses for balance without leaving a trace, so that the identity can be used again [idempotency:refused:not-consumed]', () => {
    const { world, send } = opened({ holdMicros: 101n });
    const rows = world.rows();
    expect(send()).toMatchObject({ kind: 'insufficient' });
    expect(world.rows()).toBe(rows);
    expect(send({ holdMicros: 1n, fingerprint: 'f2' })).toMatchObject({ kind: 'started' });
  });

  test('opens without a balance where nothing is estimated', () => {
    const { world, send } = opened({ accountId: 'a1', holdMicros: 0n });
    world.put('wallet', emptyWallet('a1'));
    expect(send()).toMatchObject({ kind: 'started', walletSeq: 1 });
  });

  test('responds to the same identity and body with the operation it stands for [idempotency:replay:no-execution]', () => {
    const { world, send } = opened();
    send();
    expect(send({ operationId: 'o2', owner: 'w2' })).toEqual({ kind: 'known', operationId: 'o1' });
    expect(world.wallet().seq).toBe(3);
  });

  test('responds to the same identity with another body as a conflict, in every state [idempotency:conflict:refused]', () => {
    const { world, send } = opened();
    send();
    for (const state of ['processing', 'uncertain', 'completed', 'failed'] as const) {
      world.put('operation', { ...world.operation(), state });
      expect(send({ operationId: 'o2', fingerprint: 'f2' })).toEqual({ kind: 'conflict', operationId: 'o1' });
    }
    expect(send({ operationId: 'o2' })).toEqual({ kind: 'known', operationId: 'o1' });
  });

  test('keeps identities of projects apart [idempotency:scope:project]', () => {
    const { world, send } = opened();
    send();
    const { id: _, ...project } = world.get('project', 'p1') ?? { id: '' };
    const { id: __, ...key } = world.get('apiKey', 'k1') ?? { id: '' };
    world.put('project', { ...project, id: 'p2' } as never);
    world.put('apiKey', { ...key, id: 'k2', projectId: 'p2' } as never);
    expect(send({ operationId: 'o2', projectId: 'p2', keyId: 'k2' })).toMatchObject({ kind: 'started' });
    expect(world.wallet().reservedMicros).toBe(60n);
  });

  test('opens as often as it is asked where there is no identity', () => {
    const { world, send } = opened({ identity: null });
    send();
    expect(send({ operationId: 'o2' })).toMatchObject({ kind: 'started' });
    expect(world.wallet().reservedMicros).toBe(60n);
  });

  test('knows its own operation when it is sent again after a lost answer', () => {
    const { world, send } = opened();
    send();
    expect(send({ repeated: true })).toMatchObject({ kind: 'started', walletSeq: 3 });
    expect(world.wallet().reservedMicros).toBe(30n);
  });

  test('does not take the operation of another opening for its own [idempotency:concurrency:one-execution]', () => {
    const { send } = opened();
    send();
    expect(send({ repeated: true, owner: 'w2' })).toEqual({ kind: 'known', operationId: 'o1' });
  });

  test('does not run an operation that was decided before the answer was asked for again', () => {
    const { world, send } = opened();
    send();
    world.put('operation', { ...world.operation(), state: 'uncertain' });
    expect(send({ repeated: true })).toEqual({ kind: 'known', operationId: 'o1' });
  });

  test('tells a refusal of the plan only where the identity is new', () => {
    const { send } = opened();
    expect(send({ refusal: 'unsupported_parameter' })).toEqual({ kind: 'refused', code: 'unsupported_parameter' });
    send();
    expect(send({ operationId: 'o2', refusal: 'unsupported_parameter' })).toEqual({ kind: 'known', operationId: 'o1' });
  });

  test('trusts a new id, and looks for the record where the step was sent before', () => {
    expect(operationKey(false)).toEqual({ table: 'operation', id: 'o1', fresh: true });
    expect(operationKey(true)).toEqual({ table: 'operation', id: 'o1' });
  });
});
