import { describe, expect, test } from 'vitest';
import type { OperationRecord } from '@tollgate/storage';
import { createDecisionWorld, failCommand, operationRecord } from '../../test/decision-world.ts';
import { fail, type FailCommand } from './fail.ts';

const failing = (operation: Partial<OperationRecord> = {}) => {
  const world = createDecisionWorld(operationRecord(operation));
  const send = (change: Partial<FailCommand> = {}) => {
    const command = failCommand(change);
    return world.step(fail(command));
  };
  return { world, send };
};

describe('fail', () => {
  test('frees the whole hold and debits nothing [ledger:failed:no-debit] [requests:move:processing-failed]', () => {
    const { world, send } = failing();
    expect(send()).toMatchObject({ kind: 'failed', walletSeq: 3 });
    expect(world.wallet()).toMatchObject({ balanceMicros: 100n, reservedMicros: 0n });
    expect(world.entries()).toEqual([]);
    expect(world.operation()).toMatchObject({
      state: 'failed',
      holdMicros: 0n,
      errorCode: 'service_unavailable',
      dueAtMs: 90_100,
      endedAtMs: 1_000,
    });
  });

  test('frees once, however often it is sent', () => {
    const { world, send } = failing();
    send();
    expect(send()).toMatchObject({ kind: 'ended', operation: { state: 'failed' } });
    expect(world.wallet()).toMatchObject({ reservedMicros: 0n, seq: 3 });
  });

  test('decides an uncertain operation, also one whose settlement is pending [requests:move:uncertain-resolved]', () => {
    const { world, send } = failing({ state: 'uncertain', pendingMicros: 150n, carriedPicos: 5, owner: null });
    expect(send()).toMatchObject({ kind: 'failed', operation: { pendingMicros: null, carriedPicos: 0 } });
    expect(world.wallet().reservedMicros).toBe(0n);
  });

  test.each(['sweep:s1', 'w2/t1', null])(
    'leaves alone what %s has by now, where it is named whose it must be',
    (owner) => {
      const { world, send } = failing({ owner });
      expect(send({ owner: 'w1/t1' })).toMatchObject({ kind: 'lost', operation: { state: 'processing', owner } });
      expect(world.wallet()).toMatchObject({ reservedMicros: 30n, seq: 2 });
      expect(failing({ owner: 'w1/t1' }).send({ owner: 'w1/t1' })).toMatchObject({ kind: 'failed' });
    },
  );

  test('refuses an operation of which a part was debited [ledger:failed:never-with-debit]', () => {
    const { world, send } = failing({ chargedMicros: 5n, captures: 1 });
    expect(send()).toMatchObject({ kind: 'captured', operation: { state: 'processing' } });
    expect(world.wallet()).toMatchObject({ reservedMicros: 30n, seq: 2 });
  });

  test('changes nothing after the settlement but for an anomaly, once', () => {
    const { world, send } = failing({ state: 'completed', holdMicros: 0n, chargedMicros: 20n, endedAtMs: 900 });
    expect(send()).toMatchObject({ kind: 'ended', operation: { state: 'completed' } });
    const rows = world.rows();
    send();
    expect(world.rows()).toBe(rows);
    expect(world.get('anomaly', 'x1')).toMatchObject({ code: 'late_failure_after_settlement' });
  });

  test('keeps the attempts on record where it brings none', () => {
    const attempt = { provider: 'p', startedAtMs: 1, durationMs: 2, status: 500, outcome: 'refused' } as const;
    const { send } = failing({ attempts: [attempt] });
    expect(send()).toMatchObject({ operation: { attempts: [attempt] } });
    expect(failing({ attempts: [attempt] }).send({ attempts: [] })).toMatchObject({ operation: { attempts: [] } });
  });

  test('returns an operation that is not there as missing', () => {
    expect(failing().send({ operationId: 'o9' })).toEqual({ kind: 'missing' });
  });
});
