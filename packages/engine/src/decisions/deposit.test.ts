import { describe, expect, test } from 'vitest';
import { createDecisionWorld, depositCommand, operationRecord } from '../../test/decision-world.ts';
import { depositStep, type DepositCommand } from './deposit.ts';

const depositing = () => {
  const world = createDecisionWorld();
  const deposit = (change: Partial<DepositCommand> = {}) => {
    const command = depositCommand(change);
    return world.step(depositStep(command));
  };
  return { world, deposit };
};

describe('deposit', () => {
  test('adds to the balance with an entry that says why', () => {
    const { world, deposit } = depositing();
    expect(deposit()).toMatchObject({ kind: 'done', wallet: { balanceMicros: 150n, seq: 3, entrySeq: 2 } });
    expect(world.entries()).toMatchObject([
      { id: 'a1:2', seq: 2, kind: 'deposit', amountMicros: 50n, reference: 'r1', walletSeq: 3 },
    ]);
  });

  test('adds once, however often it is sent', () => {
    const { world, deposit } = depositing();
    deposit();
    expect(deposit()).toMatchObject({ kind: 'repeated', wallet: { balanceMicros: 150n, seq: 3 } });
    expect(world.entries()).toHaveLength(1);
  });

  test('refuses another amount under the same reference', () => {
    const { world, deposit } = depositing();
    deposit();
    expect(deposit({ amountMicros: 51n })).toEqual({ kind: 'conflict' });
    expect(world.wallet().balanceMicros).toBe(150n);
  });

  test('refuses a balance beyond every amount [ledger:numbers:micro]', () => {
    expect(depositing().deposit({ amountMicros: 10n ** 15n - 100n })).toMatchObject({ kind: 'done' });
    expect(depositing().deposit({ amountMicros: 10n ** 15n - 99n })).toEqual({ kind: 'too_large' });
  });

  test('makes the wallet of an account that has none', () => {
    const { world, deposit } = depositing();
    world.put('account', {
      id: 'a2',
      name: '',
      status: 'active',
      createdAtMs: 1,
      metadata: null,
      closedAtMs: null,
      limits: null,
      plan: null,
    });
    expect(deposit({ accountId: 'a2' })).toMatchObject({
      kind: 'done',
      wallet: { id: 'a2', balanceMicros: 50n, seq: 1 },
    });
    expect(deposit({ accountId: 'a9' })).toEqual({ kind: 'missing' });
  });

  test('keeps the references of accounts apart', () => {
    const { world, deposit } = depositing();
    world.put('account', {
      id: 'a2',
      name: '',
      status: 'active',
      createdAtMs: 1,
      metadata: null,
      closedAtMs: null,
      limits: null,
      plan: null,
    });
    deposit();
    expect(deposit({ accountId: 'a2' })).toMatchObject({ kind: 'done' });
  });
});

describe('compensate', () => {
  test('corrects by an opposite entry that names the operation', () => {
    const { world, deposit } = depositing();
    expect(deposit({ kind: 'compensation', amountMicros: -20n, operationId: 'o1' })).toMatchObject({
      wallet: { balanceMicros: 80n, reservedMicros: 30n },
    });
    expect(world.entries()).toMatchObject([{ kind: 'compensation', amountMicros: -20n, operationId: 'o1' }]);
  });

  test('refuses an operation of another account, and takes one whose record is gone', () => {
    const world = createDecisionWorld(operationRecord({ accountId: 'a2' }));
    const command = { accountId: 'a1', kind: 'compensation', amountMicros: 7n, reference: 'r' } as const;
    expect(world.step(depositStep({ ...command, operationId: 'o1' }))).toEqual({
      kind: 'operation_of_another_account',
    });
    expect(world.entries()).toEqual([]);
    expect(world.step(depositStep({ ...command, operationId: 'o9' }))).toMatchObject({ kind: 'done' });
  });

  test('takes free balance only', () => {
    const { world, deposit } = depositing();
    expect(deposit({ kind: 'compensation', amountMicros: -71n })).toMatchObject({
      kind: 'insufficient',
      wallet: { seq: 2 },
    });
    expect(world.entries()).toEqual([]);
    expect(deposit({ kind: 'compensation', amountMicros: -70n })).toMatchObject({ kind: 'done' });
  });
});
