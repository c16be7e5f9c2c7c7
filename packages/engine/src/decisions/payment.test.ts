import { describe, expect, test } from 'vitest';
import { createDecisionWorld } from '../../test/decision-world.ts';
import { collectDebt, depositStep } from './deposit.ts';
import { notePaymentStep, type PaymentCommand } from './payment.ts';

const command: PaymentCommand = {
  accountId: 'a1',
  reference: 'pi_1',
  creditMicros: 50n,
  backMicros: 0n,
  version: 0,
  notice: 'evt_1',
  shortfall: 'owe',
};

/** An account with 100 credits, of which 30 are reserved. */
const paying = () => {
  const world = createDecisionWorld();
  const pay = (change: Partial<PaymentCommand> = {}) => world.step(notePaymentStep({ ...command, ...change }));
  const amounts = () => world.entries().map(({ amountMicros }) => amountMicros);
  return { world, pay, amounts, owed: () => world.get('debt', 'a1')?.owedMicros ?? 0n };
};

describe('a payment', () => {
  test('is credited once, with what told of it', () => {
    const { world, pay, amounts } = paying();
    expect(pay()).toMatchObject({ kind: 'done', credited: true, wallet: { balanceMicros: 150n } });
    expect(pay({ notice: 'evt_2' })).toMatchObject({ kind: 'repeated', credited: false });
    expect(pay({ notice: 'evt_3', version: 1 })).toMatchObject({ kind: 'done', credited: false });
    expect(amounts()).toEqual([50n]);
    expect(world.get('payment', 'pi_1')).toMatchObject({ notice: 'evt_3', creditedMicros: 50n, takenMicros: 0n });
  });

  test('is credited to one account, and with one amount', () => {
    const { world, pay } = paying();
    world.put('account', {
      id: 'a2',
      name: '',
      status: 'active',
      metadata: {},
      closedAtMs: null,
      limits: null,
      plan: null,
      createdAtMs: 1,
    });
    pay();
    expect(pay({ accountId: 'a2', version: 1 })).toEqual({ kind: 'conflict' });
    expect(pay({ creditMicros: 51n, version: 1 })).toEqual({ kind: 'conflict' });
    expect(pay({ accountId: 'a9' })).toEqual({ kind: 'missing' });
  });

  test('takes back what a cumulative refund adds', () => {
    const { pay, amounts } = paying();
    pay();
    pay({ backMicros: 20n, version: 1 });
    pay({ backMicros: 50n, version: 2 });
    expect(amounts()).toEqual([50n, -20n, -30n]);
  });

  test('takes back no more than it gave', () => {
    const { pay, amounts } = paying();
    pay();
    pay({ backMicros: 500n, version: 1 });
    expect(amounts()).toEqual([50n, -50n]);
  });

  test('does not let what was looked up earlier undo a later refund', () => {
    const { pay, amounts } = paying();
    pay({ backMicros: 20n, version: 1 });
    expect(pay({ backMicros: 0n, version: 1 })).toMatchObject({ kind: 'repeated', payment: { takenMicros: 20n } });
    expect(amounts()).toEqual([50n, -20n]);
  });

  test('returns what a refund that failed, or a dispute that was won, gives back', () => {
    const { pay, amounts } = paying();
    pay({ backMicros: 50n });
    pay({ backMicros: 10n, version: 1 });
    expect(amounts()).toEqual([50n, -50n, 40n]);
  });
});

describe('what is taken back and was spent', () => {
  test('is owed, and paid by what comes in first', () => {
    const { world, pay, amounts, owed } = paying();
    pay();
    const spent = { accountId: 'a1', reference: 'spent', operationId: null } as const;
    world.step(depositStep({ ...spent, kind: 'compensation', amountMicros: -110n }));
    expect(pay({ backMicros: 50n, version: 1 })).toMatchObject({ kind: 'done', owedMicros: 40n });
    expect(world.wallet()).toMatchObject({ balanceMicros: 30n, reservedMicros: 30n });
    world.step(depositStep({ ...spent, reference: 'new', kind: 'deposit', amountMicros: 45n }));
    expect(owed()).toBe(0n);
    expect(amounts()).toEqual([50n, -110n, -10n, 45n, -40n]);
    expect(world.entries().map(({ balanceMicros }) => balanceMicros)).toEqual([150n, 40n, 30n, 75n, 35n]);
  });

  test('is borne by the host where it forgives', () => {
    const { world, pay, owed } = paying();
    pay();
    const spent = { accountId: 'a1', reference: 'spent', operationId: null } as const;
    world.step(depositStep({ ...spent, kind: 'compensation', amountMicros: -110n }));
    expect(pay({ backMicros: 50n, version: 1, shortfall: 'forgive' })).toMatchObject({
      payment: { takenMicros: 10n },
      owedMicros: 0n,
    });
    expect(owed()).toBe(0n);
    world.step(depositStep({ ...spent, reference: 'new', kind: 'deposit', amountMicros: 45n }));
    pay({ backMicros: 50n, version: 2, shortfall: 'forgive' });
    expect(world.wallet().balanceMicros).toBe(75n);
  });

  test('is collected from credits that came free since', () => {
    const { world, pay, owed } = paying();
    pay({ creditMicros: 1n });
    world.put('debt', { id: 'a1', owedMicros: 200n });
    expect(world.step(collectDebt('a1'))).toMatchObject({ kind: 'done', owedMicros: 129n });
    expect(world.step(collectDebt('a1'))).toMatchObject({ kind: 'none', owedMicros: 129n });
    expect(owed()).toBe(129n);
    expect(world.wallet()).toMatchObject({ balanceMicros: 30n, reservedMicros: 30n });
  });
});

describe('a negative compensation', () => {
  test('owes what the free balance does not cover, where the host says so, and counts once', () => {
    const { world, owed } = paying();
    const back = { accountId: 'a1', reference: 'back', operationId: null, kind: 'compensation' } as const;
    expect(world.step(depositStep({ ...back, amountMicros: -90n, shortfall: 'owe' }))).toMatchObject({
      kind: 'done',
      owedMicros: 20n,
    });
    expect(world.step(depositStep({ ...back, amountMicros: -90n, shortfall: 'owe' }))).toMatchObject({
      kind: 'repeated',
    });
    expect(owed()).toBe(20n);
  });
});

test('a payment is no other one of the same reference that was deposited by hand', () => {
  const { world, pay, amounts } = paying();
  const deposit = {
    accountId: 'a1',
    kind: 'deposit',
    amountMicros: 51n,
    reference: 'pi_1',
    operationId: null,
  } as const;
  world.step(depositStep(deposit));
  expect(pay()).toEqual({ kind: 'conflict' });
  expect(pay({ creditMicros: 51n }).kind).not.toBe('conflict');
  expect(amounts()).toEqual([51n]);
});
