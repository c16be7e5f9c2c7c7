import { isConfigurationError } from '@tollgate/contract/configuration';
import { describe, expect, test } from 'vitest';
import { createEngineWorld, holdMicros } from '../../test/engine-world.ts';
import { createPayments, type Payments } from './payments.ts';

const paying = async (depositMicros = 0n) => {
  const world = await createEngineWorld(depositMicros);
  return { ...world, payments: createPayments(world.engine) };
};

const order = { reference: 'o1', product: 'small', creditMicros: 60n, price: 500, currency: 'usd' };
const paid = { paymentId: 'pi_1', paid: 500, back: 0, currency: 'usd', version: 0, notice: 'evt_1' };

describe('payments of a gateway', () => {
  test('turn the payment of an order into credits, once, and audit clean', async () => {
    const { payments, admin, accountId } = await paying();
    await payments.openOrder({ accountId, ...order });
    const payment = { accountId, orderId: `order:${accountId}:o1`, ...paid, shortfall: 'owe' } as const;
    const answers = await Promise.all([payments.payOrder(payment), payments.payOrder(payment)]);
    expect(answers.map(({ kind }) => kind).toSorted()).toEqual(['done', 'repeated']);
    expect(await payments.readOrder(accountId, 'o1')).toMatchObject({ paymentId: 'pi_1' });
    expect(await payments.readPayment('pi_1')).toMatchObject({ creditedMicros: 60n });
    expect(await payments.listPayments()).toMatchObject([{ id: 'pi_1', accountId }]);
    await payments.payOrder({ ...payment, back: 500, version: 1, notice: 'evt_2' });
    expect(await admin.readWallet(accountId)).toMatchObject({ balanceMicros: 0n });
    expect(await admin.audit()).toMatchObject({ violations: [] });
  });

  test('collect what is owed when a hold ends', async () => {
    const world = await paying(holdMicros);
    const { payments, accountId } = world;
    const noticed = { accountId, reference: 'pi_1', creditMicros: 5n, notice: 'evt', shortfall: 'owe' } as const;
    await payments.notePayment({ ...noticed, backMicros: 0n, version: 0 });
    await world.run({
      execute: async () => {
        await world.admin.compensate({ accountId, amountMicros: -5n, reference: 'spent' });
        await payments.notePayment({ ...noticed, backMicros: 5n, version: 1 });
        return 3;
      },
    });
    expect(await payments.readDebt(accountId)).toBe(5n);
    expect(await payments.collectDebt(accountId)).toMatchObject({ kind: 'done', owedMicros: 0n });
    expect(await world.admin.readWallet(accountId)).toMatchObject({ balanceMicros: 2n });
    expect(await world.admin.audit()).toMatchObject({ violations: [] });
  });

  test('begin one top-up, however many ask at once', async () => {
    const { payments, accountId } = await paying();
    const { reference: _, ...product } = order;
    const ask = { accountId, ...product, belowMicros: 10n, monthPriceMax: 10_000 };
    const answers = await Promise.all([1, 2, 3, 4].map(() => payments.beginTopUp(ask)));
    expect(answers.map(({ kind }) => kind).toSorted()).toEqual(['begun', 'resumed', 'resumed', 'resumed']);
    const orderId = `topup:${accountId}:1`;
    expect(await payments.refuseTopUp({ accountId, orderId, price: 500, stoppedBy: 'pi_9' })).toMatchObject({
      kind: 'stopped',
    });
    expect(await payments.readTopUp(accountId)).toMatchObject({ stoppedBy: 'pi_9', begun: 1 });
    expect(await payments.allowTopUp(accountId)).toMatchObject({ stoppedBy: null });
  });

  test('keep one value of a link: the first, until it is replaced', async () => {
    const { payments, accountId } = await paying();
    const link = (value: string, replaces?: string) =>
      payments.linkAccount({ accountId, name: 'stripe.customer', value, replaces });
    const kept = await Promise.all([link('cus_1'), link('cus_2')]);
    expect(new Set(kept).size).toBe(1);
    const [first] = kept;
    expect(await link('cus_3')).toBe(first);
    expect(await link('cus_3', first ?? '')).toBe('cus_3');
    expect(await payments.readLink(accountId, 'stripe.customer')).toBe('cus_3');
    expect(await payments.readLink(accountId, 'stripe.card')).toBeNull();
    expect(await payments.linkAccount({ accountId: 'nobody', name: 'x', value: 'y' })).toBeNull();
  });
});

type Untyped = Readonly<Record<keyof Payments, (...given: readonly unknown[]) => Promise<unknown>>>;

describe('arguments of payments', () => {
  const credits = { creditMicros: 5n, price: 500, currency: 'usd' };

  test.each<[keyof Payments, readonly unknown[], string]>([
    ['openOrder', [{ accountId: 'a', reference: 'r', product: 'p', ...credits, price: 0 }], 'price is 0'],
    [
      'openOrder',
      [{ accountId: 'a', reference: 'r', product: 'p', ...credits, creditMicros: 5 }],
      'creditMicros is the',
    ],
    ['openOrder', [{ accountId: 'a', product: 'p', ...credits }], 'reference is missing'],
    ['payOrder', [{ ...paid, accountId: 'a', orderId: 'o', shortfall: 'refuse' }], 'shortfall is the text "refuse"'],
    ['notePayment', ['pi_1'], 'the object of options is'],
    [
      'beginTopUp',
      [{ accountId: 'a', product: 'p', ...credits, belowMicros: -1n, monthPriceMax: 1 }],
      'belowMicros is -1',
    ],
    ['refuseTopUp', [{ accountId: 'a', orderId: 'o', price: 1 }], 'stoppedBy is missing'],
    ['linkAccount', [{ accountId: 'a', name: 'x'.repeat(65), value: 'v' }], 'name is'],
    ['listPayments', [{ order: 'x', id: 'a' }], 'after.order is the text "x"'],
  ])('%s refuses an argument that cannot be meant, by its name (%#)', async (method, given, what) => {
    const { payments } = await paying();
    // What the types forbid is what this test is about.
    const refused: unknown = await (payments as unknown as Untyped)[method](...given).catch((error: unknown) => error);
    expect(isConfigurationError(refused)).toBe(true);
    expect(String(refused)).toContain(`ConfigurationError: ${method}: ${what}`);
  });
});
