import { describe, expect, test } from 'vitest';
import type { OperationRecord } from '@tollgate/storage';
import { createDecisionWorld, evidence, operationRecord, settleCommand } from '../../test/decision-world.ts';
import { settle, type SettleCommand } from './settle.ts';

const settling = (operation: Partial<OperationRecord> = {}) => {
  const world = createDecisionWorld(operationRecord(operation));
  const send = (change: Partial<SettleCommand> = {}) => {
    const command = settleCommand(change);
    return world.step(settle(command));
  };
  return { world, send };
};

describe('settle', () => {
  test('debits exactly the measure and frees the surplus [ledger:settle:debit-measured] [ledger:settle:release-surplus]', () => {
    const { world, send } = settling();
    expect(send()).toMatchObject({ kind: 'settled', walletSeq: 3 });
    expect(world.wallet()).toMatchObject({ balanceMicros: 80n, reservedMicros: 0n, seq: 3, entrySeq: 2 });
    expect(world.entries()).toEqual([
      {
        id: 'a1:2',
        accountId: 'a1',
        seq: 2,
        kind: 'debit',
        amountMicros: -20n,
        operationId: 'o1',
        tariffVersion: 't1',
        reference: null,
        balanceMicros: 80n,
        keyId: 'k1',
        model: 'm',
        walletSeq: 3,
        createdAtMs: 1_000,
      },
    ]);
  });

  test('keeps by which service tier it was served, also where a later try brings no evidence', () => {
    const { send } = settling({ serviceTier: 'priority' });
    const served = { ...evidence, servedTier: 'flex' };
    expect(send({ evidence: served, measuredMicros: 1_000n })).toMatchObject({ operation: { servedTier: 'flex' } });
    expect(send({ evidence: null, measuredMicros: 20n })).toMatchObject({
      kind: 'settled',
      operation: { servedTier: 'flex' },
    });
  });

  test('forgets what was used at the least when the whole is reported', () => {
    const { world, send } = settling({
      state: 'uncertain',
      usageAtLeast: [{ unit: 'input_text_tokens', quantity: 2 }],
    });
    send();
    expect(world.operation()).toMatchObject({ state: 'completed', usageAtLeast: null });
  });

  test('stores the answer, the measure and the states of tool calls in the same step [requests:move:settling-completed]', () => {
    const { world, send } = settling();
    send();
    expect(world.operation()).toMatchObject({
      state: 'completed',
      holdMicros: 0n,
      chargedMicros: 20n,
      answer: 'stored',
      usage: [{ unit: 'input_text_tokens', quantity: 3 }],
      owner: null,
      dueAtMs: 8_000,
      endedAtMs: 1_000,
    });
    expect(world.get('answer', 'o1')).toEqual({
      id: 'o1',
      body: '{"text":"hello"}',
      bytes: 16,
      division: null,
      createdAtMs: 1_000,
    });
    expect(world.get('toolContext', 'p1:call')).toEqual({
      id: 'p1:call',
      context: 'opaque',
      owner: null,
      dueAtMs: 8_000,
    });
  });

  test('writes no entry where nothing was consumed', () => {
    const { world, send } = settling();
    expect(send({ measuredMicros: 0n })).toMatchObject({ kind: 'settled' });
    expect(world.entries()).toEqual([]);
    expect(world.wallet()).toMatchObject({ balanceMicros: 100n, reservedMicros: 0n, seq: 3 });
  });

  test('carries what is below a micro-credit to the next operation of the account [ledger:numbers:micro]', () => {
    const { world, send } = settling();
    world.put('wallet', { ...world.wallet(), remainderPicos: 600_000 });
    expect(send({ measuredMicros: 20n, fractionPicos: 700_000 })).toMatchObject({
      kind: 'settled',
      operation: { chargedMicros: 21n, carriedPicos: -300_000 },
    });
    expect(world.wallet()).toMatchObject({ balanceMicros: 79n, remainderPicos: 300_000 });
    send({ measuredMicros: 20n, fractionPicos: 700_000 });
    expect(world.wallet()).toMatchObject({ balanceMicros: 79n, remainderPicos: 300_000 });
    expect(world.get('anomaly', 'x1')).toBeUndefined();
    send({ measuredMicros: 20n, fractionPicos: 700_001 });
    expect(world.get('anomaly', 'x1')).toMatchObject({ detail: { measuredMicros: '20', fractionPicos: 700_001 } });
  });

  test('carries an amount without a whole micro-credit, and writes no entry', () => {
    const { world, send } = settling();
    expect(send({ measuredMicros: 0n, fractionPicos: 250_000 })).toMatchObject({
      operation: { chargedMicros: 0n, carriedPicos: 250_000 },
    });
    expect(world.wallet()).toMatchObject({ balanceMicros: 100n, remainderPicos: 250_000, seq: 3 });
    expect(world.entries()).toEqual([]);
  });

  test('keeps the amount of a pending settlement, and carries nothing until it is paid', () => {
    const { world, send } = settling();
    world.put('wallet', { ...world.wallet(), remainderPicos: 600_000 });
    send({ measuredMicros: 150n, fractionPicos: 500_000 });
    expect(world.operation()).toMatchObject({ pendingMicros: 151n, carriedPicos: -500_000 });
    expect(world.wallet()).toMatchObject({ remainderPicos: 600_000, seq: 2 });
    world.put('wallet', { ...world.wallet(), balanceMicros: 200n, remainderPicos: 0 });
    send({ measuredMicros: 151n, fractionPicos: -500_000, isFixed: true, evidence: null });
    expect(world.operation()).toMatchObject({ chargedMicros: 151n, carriedPicos: -500_000 });
    expect(world.wallet()).toMatchObject({ balanceMicros: 49n, remainderPicos: -500_000 });
  });

  test('takes an overrun from free balance [ledger:overrun:free-balance-only]', () => {
    const { world, send } = settling();
    expect(send({ measuredMicros: 100n })).toMatchObject({ kind: 'settled' });
    expect(world.wallet()).toMatchObject({ balanceMicros: 0n, reservedMicros: 0n });
  });

  test('never takes what others have reserved, and keeps hold and result until balance is there [ledger:overrun:uncertain] [ledger:overrun:keeps-result] [requests:move:settling-uncertain]', () => {
    const { world, send } = settling();
    world.put('wallet', { ...world.wallet(), reservedMicros: 90n });
    expect(send({ measuredMicros: 41n })).toMatchObject({ kind: 'pending', walletSeq: 2 });
    expect(world.operation()).toMatchObject({
      state: 'uncertain',
      errorCode: 'settlement_pending',
      pendingMicros: 41n,
      holdMicros: 30n,
      chargedMicros: 0n,
      answer: 'stored',
      owner: null,
      dueAtMs: 1_060,
      endedAtMs: null,
    });
    expect(world.wallet()).toMatchObject({ balanceMicros: 100n, reservedMicros: 90n });
    expect(world.get('answer', 'o1')).toBeDefined();
    expect(send({ measuredMicros: 40n, evidence: null })).toMatchObject({ kind: 'settled' });
  });

  test('settles what was pending with the answer it stored, once balance is there [ledger:overrun:resolves]', () => {
    const { world, send } = settling();
    send({ measuredMicros: 150n });
    world.put('wallet', { ...world.wallet(), balanceMicros: 150n });
    expect(send({ measuredMicros: 150n, evidence: null })).toMatchObject({ kind: 'settled' });
    expect(world.operation()).toMatchObject({
      state: 'completed',
      pendingMicros: null,
      errorCode: null,
      answer: 'stored',
    });
    expect(world.wallet()).toMatchObject({ balanceMicros: 0n, reservedMicros: 0n });
  });

  test('waives what is not covered where the host wants it so', () => {
    const { world, send } = settling();
    expect(send({ measuredMicros: 150n, overrun: 'absorb' })).toMatchObject({ kind: 'settled' });
    expect(world.operation()).toMatchObject({ chargedMicros: 100n, absorbedMicros: 50n });
    expect(world.wallet()).toMatchObject({ balanceMicros: 0n, reservedMicros: 0n });
  });

  test('debits once, however often it is sent [ledger:concurrency:single-settlement]', () => {
    const { world, send } = settling();
    send();
    const rows = world.rows();
    expect(send()).toMatchObject({ kind: 'ended', operation: { state: 'completed', chargedMicros: 20n } });
    expect(world.rows()).toBe(rows);
    expect(world.wallet()).toMatchObject({ balanceMicros: 80n, seq: 3 });
  });

  test('keeps another measure that comes later as an anomaly, once, and changes no money', () => {
    const { world, send } = settling();
    send();
    send({ measuredMicros: 25n });
    const rows = world.rows();
    send({ measuredMicros: 25n });
    expect(world.get('anomaly', 'x1')).toMatchObject({
      code: 'settled_with_another_measure',
    });
    expect(world.get('anomaly', 'x1')?.detail).toEqual({ measuredMicros: '25' });
    expect(world.rows()).toBe(rows);
    expect(world.wallet().balanceMicros).toBe(80n);
  });

  test('takes the truth about an uncertain operation although it comes late [requests:move:uncertain-resolved]', () => {
    const { send } = settling({ state: 'uncertain', owner: null });
    expect(send()).toMatchObject({ kind: 'settled', operation: { state: 'completed' } });
  });

  test('debits nothing after the failure, and keeps an anomaly [ledger:failed:never-with-debit]', () => {
    const { world, send } = settling({ state: 'failed', holdMicros: 0n, endedAtMs: 900 });
    expect(send()).toMatchObject({ kind: 'ended', operation: { state: 'failed' } });
    expect(world.wallet()).toMatchObject({ balanceMicros: 100n, seq: 2 });
    expect(world.get('anomaly', 'x1')).toMatchObject({ code: 'late_settle_after_failure' });
  });

  test('debits only what was not captured before', () => {
    const { world, send } = settling({ holdMicros: 20n, chargedMicros: 10n, captures: 1 });
    send({ measuredMicros: 25n });
    expect(world.operation()).toMatchObject({ chargedMicros: 25n });
    expect(world.entries().map(({ amountMicros }) => amountMicros)).toEqual([-15n]);
  });

  test('gives nothing back of what was captured', () => {
    const { world, send } = settling({ holdMicros: 20n, chargedMicros: 10n, captures: 1 });
    expect(send({ measuredMicros: 5n })).toMatchObject({ kind: 'settled', operation: { chargedMicros: 10n } });
    expect(world.wallet().balanceMicros).toBe(100n);
  });

  test('returns an operation or a wallet that is not there as missing', () => {
    const { world, send } = settling();
    expect(send({ operationId: 'o9' })).toEqual({ kind: 'missing' });
    expect(send({ accountId: 'a9' })).toEqual({ kind: 'missing' });
    expect(world.operation().state).toBe('processing');
  });
});

test('an anomaly names the part of a micro-credit of a measure that came later', () => {
  const { world, send } = settling();
  send();
  send({ fractionPicos: 1 });
  expect(world.get('anomaly', 'x1')?.detail).toEqual({ measuredMicros: '20', fractionPicos: 1 });
});
