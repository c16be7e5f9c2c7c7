import { describe, expect, test } from 'vitest';
import type { OperationRecord } from '@tollgate/storage';
import { captureCommand, createDecisionWorld, operationRecord } from '../../test/decision-world.ts';
import { capture, type CaptureCommand } from './capture.ts';

const capturing = (operation: Partial<OperationRecord> = {}) => {
  const world = createDecisionWorld(operationRecord(operation));
  const send = (change: Partial<CaptureCommand> = {}) => {
    const command = captureCommand(change);
    return world.step(capture(command));
  };
  return { world, send };
};

describe('capture', () => {
  test('turns a part of the hold into a debit while the operation goes on', () => {
    const { world, send } = capturing();
    expect(send()).toMatchObject({ kind: 'captured', walletSeq: 3 });
    expect(world.wallet()).toMatchObject({ balanceMicros: 90n, reservedMicros: 20n });
    expect(world.operation()).toMatchObject({ state: 'processing', holdMicros: 20n, chargedMicros: 10n, captures: 1 });
    expect(world.entries().map(({ amountMicros }) => amountMicros)).toEqual([-10n]);
  });

  test('captures each part once, however often it is sent', () => {
    const { world, send } = capturing();
    send();
    expect(send()).toMatchObject({ kind: 'captured', walletSeq: 3 });
    send({ sequence: 2 });
    expect(send()).toMatchObject({ kind: 'captured', walletSeq: 4 });
    expect(world.operation()).toMatchObject({ chargedMicros: 20n, captures: 2 });
  });

  test('captures the whole hold, and not more than it', () => {
    expect(capturing().send({ amountMicros: 30n })).toMatchObject({
      kind: 'captured',
      operation: { holdMicros: 0n },
    });
    expect(capturing().send({ amountMicros: 31n })).toEqual({ kind: 'insufficient' });
  });

  test('refuses a part out of turn or without an amount', () => {
    expect(capturing().send({ sequence: 2 })).toEqual({ kind: 'ended' });
    expect(capturing().send({ amountMicros: 0n })).toEqual({ kind: 'ended' });
    expect(capturing().send({ amountMicros: -1n })).toEqual({ kind: 'ended' });
  });

  test('captures while the operation is being cancelled, and not when it no longer runs', () => {
    expect(capturing({ state: 'cancelling' }).send()).toMatchObject({ kind: 'captured' });
    for (const state of ['reserved', 'settling', 'uncertain', 'completed', 'failed'] as const)
      expect(capturing({ state }).send()).toEqual({ kind: 'ended' });
    expect(capturing().send({ operationId: 'o9' })).toEqual({ kind: 'ended' });
  });
});
