import type { OperationRecord } from '@tollgate/storage';
import { describe, expect, test } from 'vitest';
import {
  createDecisionWorld,
  evidence,
  openCommand,
  operationRecord,
  resourceRecord,
} from '../../test/decision-world.ts';
import { makeMove, type MoveCommand } from './host-moves.ts';
import type { OpenCommand } from './open.ts';
import { register } from './register.ts';
import { unregister } from './unregister.ts';

const registering = () => {
  const world = createDecisionWorld(null);
  const send = (change: Partial<OpenCommand> = {}) => {
    const command = openCommand(change);
    return world.step(register(command));
  };
  return { world, send };
};

const moving = (operation: Partial<OperationRecord>) => {
  const world = createDecisionWorld(operationRecord(operation));
  const move = (step: MoveCommand['move']) => {
    const command = { operationId: 'o1', accountId: 'a1', move: step };
    return world.step(makeMove(command));
  };
  return { world, move };
};

describe('register', () => {
  test('registers an operation as preparing, with its identity and without a hold [requests:move:accepted-preparing]', () => {
    const { world, send } = registering();
    expect(send()).toMatchObject({ kind: 'prepared', operation: { state: 'preparing', holdMicros: 0n } });
    expect(world.get('identity', 'p1:i1')).toMatchObject({ operationId: 'o1' });
    expect(world.wallet()).toMatchObject({ reservedMicros: 0n, seq: 2 });
  });

  test('knows its own registration when it is sent again, as long as it is undecided', () => {
    const { world, send } = registering();
    send();
    expect(send({ repeated: true })).toMatchObject({ kind: 'prepared' });
    expect(send({ repeated: true, owner: 'w2' })).toEqual({ kind: 'known', operationId: 'o1' });
    world.put('operation', { ...world.operation(), state: 'failed' });
    expect(send({ repeated: true })).toEqual({ kind: 'known', operationId: 'o1' });
  });

  test('refuses what opening refuses', () => {
    const { world, send } = registering();
    world.put('account', {
      id: 'a1',
      name: '',
      status: 'blocked',
      createdAtMs: 1,
      metadata: null,
      closedAtMs: null,
      limits: null,
      plan: null,
    });
    expect(send()).toEqual({ kind: 'refused', code: 'access_blocked' });
  });

  test('does not look at the wallet, which the host keeps', () => {
    expect(register(openCommand()).keys.map(({ table }) => table)).not.toContain('wallet');
  });
});

const unregistering = (change: Partial<OperationRecord> = {}) => {
  const { world, send } = registering();
  send();
  const registered = world.operation();
  world.put('operation', { ...registered, ...change });
  return { world, answer: world.step(unregister(registered)) };
};

describe('unregister', () => {
  test('takes back record and identity, so that nothing stays registered [idempotency:refused:not-consumed]', () => {
    const { world, answer } = unregistering();
    expect(answer).toBe('gone');
    expect(world.get('operation', 'o1')).toBeUndefined();
    expect(world.get('identity', 'p1:i1')).toBeUndefined();
  });

  test('leaves what is decided, and what another opening registered', () => {
    expect(unregistering({ state: 'processing' }).answer).toBe('kept');
    expect(unregistering({ owner: 'w2' }).answer).toBe('kept');
  });

  test('finds nothing to do where nothing is registered', () => {
    const world = createDecisionWorld(null);
    expect(world.step(unregister(operationRecord()))).toBe('gone');
  });
});

describe('moves', () => {
  const start = { kind: 'start', holdMicros: 30n, owner: 'w1', leaseMs: 10, queuedMs: null } as const;
  const beginSettling = {
    kind: 'begin_settling',
    pendingMicros: 20n,
    refusedMicros: null,
    evidence,
    answerKeptMs: 7_000,
    leaseMs: 10,
  } as const;
  const complete = { kind: 'complete', chargedMicros: 20n, answerKeptMs: 7_000 } as const;

  test('starts once, and only for who prepared it', () => {
    const { move } = moving({ state: 'preparing', holdMicros: 0n });
    expect(move({ ...start, owner: 'w2' })).toMatchObject({ kind: 'refused', operation: { state: 'preparing' } });
    expect(move(start)).toMatchObject({ kind: 'moved', operation: { state: 'processing', holdMicros: 30n } });
    expect(move(start)).toMatchObject({ kind: 'refused', operation: { state: 'processing' } });
  });

  test('stores answer and measure before the command to the ledger [requests:move:processing-settling]', () => {
    const { world, move } = moving({});
    expect(move(beginSettling)).toMatchObject({ kind: 'moved', operation: { state: 'settling', pendingMicros: 20n } });
    expect(world.get('answer', 'o1')).toMatchObject({ bytes: 16 });
  });

  test('tells the ledger whole micro-credits, and carries the rest, once', () => {
    const { world, move } = moving({});
    world.put('wallet', { ...world.wallet(), remainderPicos: 600_000 });
    const begun = move({ ...beginSettling, fractionPicos: 700_000 });
    expect(begun).toMatchObject({ operation: { pendingMicros: 21n, carriedPicos: -300_000 } });
    expect(world.wallet().remainderPicos).toBe(300_000);
    expect(move({ ...beginSettling, fractionPicos: 700_000 })).toMatchObject({ kind: 'refused' });
    expect(move({ ...complete, chargedMicros: 21n })).toMatchObject({ operation: { carriedPicos: -300_000 } });
    expect(world.wallet().remainderPicos).toBe(300_000);
  });

  test('carries the rest of the amount that took the place of a refused one', () => {
    const { world, move } = moving({ state: 'uncertain', pendingMicros: 20n, carriedPicos: 400_000 });
    world.put('wallet', { ...world.wallet(), remainderPicos: 400_000 });
    move({ ...beginSettling, pendingMicros: 5n, isFixed: true, refusedMicros: 20n });
    expect(world.operation()).toMatchObject({ pendingMicros: 5n, carriedPicos: 0 });
    expect(world.wallet().remainderPicos).toBe(0);
  });

  test('carries nothing of what failed after all', () => {
    const { world, move } = moving({ state: 'uncertain', pendingMicros: 20n, carriedPicos: 5 });
    world.put('wallet', { ...world.wallet(), remainderPicos: 5 });
    move({ kind: 'fail', errorCode: 'request_failed', recordKeptMs: 1 });
    expect(world.operation()).toMatchObject({ state: 'failed', carriedPicos: 0 });
    expect(world.wallet().remainderPicos).toBe(0);
  });

  test('keeps the first amount, for the ledger may have it already', () => {
    const { move } = moving({ state: 'uncertain', pendingMicros: 20n });
    expect(move({ ...beginSettling, pendingMicros: 25n })).toMatchObject({ operation: { pendingMicros: 20n } });
  });

  test('takes another amount once the ledger has refused the first, and not after it was changed again', () => {
    const { move } = moving({ state: 'uncertain', pendingMicros: 20n });
    const other = { ...beginSettling, pendingMicros: 5n, refusedMicros: 20n };
    expect(move(other)).toMatchObject({ operation: { pendingMicros: 5n } });
    expect(move({ ...other, pendingMicros: 7n })).toMatchObject({ operation: { pendingMicros: 5n } });
  });

  test('completes what was settled, and nothing else [requests:move:settling-completed]', () => {
    const { move } = moving({ state: 'settling', pendingMicros: 20n });
    expect(move(complete)).toMatchObject({
      kind: 'moved',
      operation: { state: 'completed', chargedMicros: 20n, holdMicros: 0n, pendingMicros: null, dueAtMs: 8_000 },
    });
    expect(move(complete)).toMatchObject({ kind: 'refused' });
    expect(moving({}).move(complete)).toMatchObject({ kind: 'refused', operation: { state: 'processing' } });
  });

  test('waits for balance as uncertain [requests:move:settling-uncertain]', () => {
    const { move } = moving({ state: 'settling', pendingMicros: 20n });
    const waiting = { state: 'uncertain', errorCode: 'settlement_pending', pendingMicros: 20n, dueAtMs: 1_060 };
    expect(move({ kind: 'wait', retryMs: 60 })).toMatchObject({ kind: 'moved', operation: waiting });
    expect(move({ kind: 'wait', retryMs: 60 })).toMatchObject({ kind: 'moved', operation: waiting });
    expect(moving({}).move({ kind: 'wait', retryMs: 60 })).toMatchObject({ kind: 'refused' });
  });

  test('fails what was not consumed, after it was released [requests:move:processing-failed]', () => {
    const { move } = moving({});
    expect(
      move({ kind: 'begin_failing', errorCode: 'service_unavailable', attempts: null, leaseMs: 10, owner: null }),
    ).toMatchObject({
      operation: { state: 'settling', errorCode: 'service_unavailable', pendingMicros: null },
    });
    const fail = { kind: 'fail', errorCode: 'service_unavailable', recordKeptMs: 90_000 } as const;
    expect(move(fail)).toMatchObject({
      kind: 'moved',
      operation: { state: 'failed', holdMicros: 0n, dueAtMs: 90_100 },
    });
    expect(move(fail)).toMatchObject({ kind: 'refused', operation: { state: 'failed' } });
  });

  test.each([
    ['work that nobody has begun, so that nobody begins it', 'reserved', 'w1', 'moved'],
    ['work in the hands of whoever fails it', 'processing', 'w1', 'moved'],
    ['no work in other hands', 'reserved', 'w2', 'refused'],
    ['no work that was begun meanwhile', 'processing', 'w2', 'refused'],
  ] as const)('begins to fail %s', (_, state, owner, kind) => {
    const { move } = moving({ state, owner: 'w1' });
    const failing = { kind: 'begin_failing', errorCode: 'service_unavailable', attempts: null, leaseMs: 10 } as const;
    const now = kind === 'moved' ? 'settling' : state;
    expect(move({ ...failing, owner })).toMatchObject({ kind, operation: { state: now } });
  });

  test('returns an operation that is not there as missing', () => {
    const world = createDecisionWorld(null);
    const command = { operationId: 'o1', accountId: 'a1', move: complete };
    expect(world.step(makeMove(command))).toEqual({ kind: 'missing' });
  });

  test('has work that waits for a caller due when it may be begun, and work that begins at once when its lease ends', () => {
    const queued = moving({ state: 'preparing', holdMicros: 0n });
    queued.move({ ...start, queuedMs: 70 });
    expect(queued.world.operation()).toMatchObject({ state: 'reserved', dueAtMs: 1_070 });
    const begun = moving({ state: 'preparing', holdMicros: 0n });
    begun.move(start);
    expect(begun.world.operation()).toMatchObject({ state: 'processing', dueAtMs: 1_010 });
  });

  test('raises a hold, and never lowers it', () => {
    const { world, move } = moving({ holdMicros: 30n });
    move({ kind: 'raise', holdMicros: 29n, usage: null });
    expect(world.operation().holdMicros).toBe(30n);
    move({ kind: 'raise', holdMicros: 31n, usage: null });
    expect(world.operation()).toMatchObject({ holdMicros: 31n, updatedAtMs: 1_000 });
    expect(moving({ state: 'settling' }).move({ kind: 'raise', holdMicros: 31n, usage: null }).kind).toBe('refused');
  });

  test('puts a verdict on record with the amount that it decides, and not where another amount may have been taken', () => {
    const verdict = {
      kind: 'charge',
      usage: null,
      parts: null,
      amountMicros: '20',
      by: null,
      reason: null,
      reference: null,
    } as const;
    const decide = (pendingMicros: bigint | null, refusedMicros: bigint | null) => {
      const { world, move } = moving({ state: 'uncertain', pendingMicros, owner: null });
      move({ ...beginSettling, evidence: null, isFixed: true, verdict, refusedMicros });
      return world.operation().verdict?.decidedAtMs ?? null;
    };
    expect(decide(null, null)).toBe(1_000);
    expect(decide(20n, null)).toBe(1_000);
    expect(decide(9n, 9n)).toBe(1_000);
    expect(decide(9n, null)).toBeNull();
    expect(decide(9n, 8n)).toBeNull();
  });

  test('closes the resource of an operation in the step that ends it', () => {
    const world = createDecisionWorld(operationRecord({ kind: 'video', state: 'settling', pendingMicros: 20n }));
    world.put(
      'resource',
      resourceRecord({
        work: { closing: { availability: 'active', publicFields: {}, work: null, expiresAfterMs: 50 } },
      }),
    );
    world.step(makeMove({ operationId: 'o1', accountId: 'a1', hasResource: true, countedIn: 'p1', move: complete }));
    expect(world.operation().state).toBe('completed');
    expect(world.get('resource', 'o1')).toMatchObject({ availability: 'active', work: null, expiresAtMs: 1_050 });
  });
});
