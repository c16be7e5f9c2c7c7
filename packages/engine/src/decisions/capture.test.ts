import { describe, expect, test } from 'vitest';
import type { OperationRecord } from '@tollgate/storage';
import { captureCommand, createDecisionWorld, operationRecord } from '../../test/decision-world.ts';
import { captureKeys, decideCapture, type CaptureCommand } from './capture.ts';

const capturing = (operation: Partial<OperationRecord> = {}) => {
  const world = createDecisionWorld(operationRecord(operation));
  const capture = (change: Partial<CaptureCommand> = {}) => {
    const command = captureCommand(change);
    return world.step(captureKeys(command), decideCapture(command));
  };
  return { world, capture };
};

describe('capture', () => {
  test('turns a part of the hold into a debit while the operation goes on', () => {
    const { world, capture } = capturing();
    expect(capture()).toMatchObject({ kind: 'captured', walletSeq: 3 });
    expect(world.wallet()).toMatchObject({ balanceMicros: 90n, reservedMicros: 20n });
    expect(world.operation()).toMatchObject({ state: 'processing', holdMicros: 20n, chargedMicros: 10n, captures: 1 });
    expect(world.entries().map(({ amountMicros }) => amountMicros)).toEqual([-10n]);
  });

  test('captures each part once, however often it is sent', () => {
    const { world, capture } = capturing();
    capture();
    expect(capture()).toMatchObject({ kind: 'captured', walletSeq: 3 });
    capture({ sequence: 2 });
    expect(capture()).toMatchObject({ kind: 'captured', walletSeq: 4 });
    expect(world.operation()).toMatchObject({ chargedMicros: 20n, captures: 2 });
  });

  test('captures the whole hold, and not more than it', () => {
    expect(capturing().capture({ amountMicros: 30n })).toMatchObject({
      kind: 'captured',
      operation: { holdMicros: 0n },
    });
    expect(capturing().capture({ amountMicros: 31n })).toEqual({ kind: 'insufficient' });
  });

  test('refuses a part out of turn or without an amount', () => {
    expect(capturing().capture({ sequence: 2 })).toEqual({ kind: 'ended' });
    expect(capturing().capture({ amountMicros: 0n })).toEqual({ kind: 'ended' });
    expect(capturing().capture({ amountMicros: -1n })).toEqual({ kind: 'ended' });
  });

  test('captures while the operation is being cancelled, and not when it no longer runs', () => {
    expect(capturing({ state: 'cancelling' }).capture()).toMatchObject({ kind: 'captured' });
    for (const state of ['reserved', 'settling', 'uncertain', 'completed', 'failed'] as const)
      expect(capturing({ state }).capture()).toEqual({ kind: 'ended' });
    expect(capturing().capture({ operationId: 'o9' })).toEqual({ kind: 'ended' });
  });
});
