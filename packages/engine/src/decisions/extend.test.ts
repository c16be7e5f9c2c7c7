import { describe, expect, test } from 'vitest';
import type { OperationRecord } from '@tollgate/storage';
import { createDecisionWorld, extendCommand, operationRecord } from '../../test/decision-world.ts';
import { extend, type ExtendCommand } from './extend.ts';

const extending = (operation: Partial<OperationRecord> = {}) => {
  const world = createDecisionWorld(operationRecord(operation));
  const send = (change: Partial<ExtendCommand> = {}) => {
    const command = extendCommand(change);
    return world.step(extend(command));
  };
  return { world, send };
};

describe('extend', () => {
  test('raises the hold from free balance', () => {
    const { world, send } = extending();
    expect(send()).toMatchObject({ kind: 'extended', walletSeq: 3, operation: { holdMicros: 50n } });
    expect(world.wallet()).toMatchObject({ balanceMicros: 100n, reservedMicros: 50n });
  });

  test('takes the last free micro-credit, and not one more', () => {
    expect(extending().send({ holdMicros: 100n })).toMatchObject({ kind: 'extended' });
    const { world, send } = extending();
    expect(send({ holdMicros: 101n })).toEqual({ kind: 'insufficient', walletSeq: 2 });
    expect(world.wallet().reservedMicros).toBe(30n);
  });

  test('raises once, however often it is sent, also after a part was captured', () => {
    const { world, send } = extending();
    send();
    expect(send()).toMatchObject({ kind: 'extended', walletSeq: 3 });
    world.put('operation', { ...world.operation(), holdMicros: 10n, chargedMicros: 40n, captures: 1 });
    expect(send()).toMatchObject({ kind: 'extended', walletSeq: 3, operation: { holdMicros: 10n } });
  });

  test('returns the very record where nothing changes', () => {
    const { world, send } = extending();
    const answer = send({ holdMicros: 1n });
    expect(answer.kind === 'extended' && answer.operation).toBe(world.operation());
  });

  test('never lowers a hold', () => {
    const { world, send } = extending();
    expect(send({ holdMicros: 1n })).toMatchObject({ kind: 'extended', operation: { holdMicros: 30n } });
    expect(world.wallet().seq).toBe(2);
  });

  test('keeps what was used so far, with the hold and without', () => {
    const { world, send } = extending();
    const usage = [{ unit: 'input_text_tokens', quantity: 7 }];
    expect(send({ holdMicros: 1n, usage })).toMatchObject({
      kind: 'extended',
      operation: { usage, holdMicros: 30n },
    });
    expect(world.operation()).toMatchObject({ usage, holdMicros: 30n });
    const more = [{ unit: 'input_text_tokens', quantity: 9 }];
    send({ usage: more });
    expect(world.operation()).toMatchObject({ usage: more, holdMicros: 50n });
    expect(send({ holdMicros: 101n, usage })).toMatchObject({ kind: 'insufficient' });
    expect(world.operation().usage).toEqual(more);
  });

  test('changes nothing where the operation does not run', () => {
    for (const state of ['reserved', 'cancelling', 'settling', 'uncertain', 'completed', 'failed'] as const)
      expect(extending({ state }).send()).toEqual({ kind: 'ended' });
    expect(extending().send({ operationId: 'o9' })).toEqual({ kind: 'ended' });
  });
});
