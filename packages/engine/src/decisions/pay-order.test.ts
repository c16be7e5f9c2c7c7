import { describe, expect, test } from 'vitest';
import { createDecisionWorld } from '../../test/decision-world.ts';
import { creditsBack, payOrder, type OrderPaymentCommand } from './pay-order.ts';
import { openOrder, type OrderCommand } from './payment-order.ts';

const order: OrderCommand = {
  accountId: 'a1',
  reference: 'o1',
  product: 'small',
  creditMicros: 60n,
  price: 500,
  currency: 'usd',
};

const payment: OrderPaymentCommand = {
  accountId: 'a1',
  orderId: 'order:a1:o1',
  paymentId: 'pi_1',
  paid: 500,
  back: 0,
  currency: 'usd',
  version: 0,
  notice: 'evt_1',
  shortfall: 'owe',
};

const ordering = () => {
  const world = createDecisionWorld();
  const open = (change: Partial<OrderCommand> = {}) => world.step(openOrder({ ...order, ...change }));
  const pay = (change: Partial<OrderPaymentCommand> = {}) => world.step(payOrder({ ...payment, ...change }));
  return { world, open, pay };
};

describe('an order', () => {
  test('is as it was first, also where its product costs something else since', () => {
    const { open } = ordering();
    expect(open()).toMatchObject({ kind: 'opened', order: { id: 'order:a1:o1', paymentId: null } });
    expect(open({ price: 900, creditMicros: 1n })).toMatchObject({
      kind: 'repeated',
      order: { price: 500, creditMicros: 60n },
    });
    expect(open({ product: 'large' })).toMatchObject({ kind: 'conflict' });
    expect(open({ accountId: 'a9' })).toEqual({ kind: 'missing' });
  });

  test('gives its own credits to a payment of just its price', () => {
    const { world, open, pay } = ordering();
    open();
    expect(pay()).toMatchObject({ kind: 'done', wallet: { balanceMicros: 160n } });
    expect(world.get('paymentOrder', 'order:a1:o1')).toMatchObject({ paymentId: 'pi_1' });
    expect(pay({ notice: 'evt_2' })).toMatchObject({ kind: 'repeated' });
  });

  test.each<[string, Partial<OrderPaymentCommand>]>([
    ['less', { paid: 499 }],
    ['more', { paid: 501 }],
    ['another currency', { currency: 'jpy' }],
    ['a payment of another account', { accountId: 'a2' }],
  ])('gives nothing for %s', (_what, change) => {
    const { world, open, pay } = ordering();
    open();
    expect(pay(change)).toMatchObject({ kind: 'mismatch' });
    expect(world.wallet().balanceMicros).toBe(100n);
  });

  test('gives its credits again to a second payment, since both were paid', () => {
    const { world, open, pay } = ordering();
    open();
    pay();
    expect(pay({ paymentId: 'pi_2' })).toMatchObject({ kind: 'done', wallet: { balanceMicros: 220n } });
    expect(world.get('paymentOrder', 'order:a1:o1')).toMatchObject({ paymentId: 'pi_1' });
  });

  test('is not invented from a payment', () => {
    expect(ordering().pay()).toEqual({ kind: 'unknown_order' });
  });
});

describe('credits that go back', () => {
  test.each([
    [0, 0n],
    [500, 10n],
    [250, 5n],
    [25, 1n],
    [24, 0n],
    [900, 10n],
  ])('are in proportion to %i of a price of 500, half up', (back, credits) => {
    expect(creditsBack({ creditMicros: 10n, price: 500 }, back)).toBe(credits);
  });

  test('are taken with the deposit where the refund was first', () => {
    const { world, open, pay } = ordering();
    open();
    pay({ back: 250 });
    expect(world.entries().map(({ amountMicros }) => amountMicros)).toEqual([60n, -30n]);
  });
});
