import { afterEach, describe, expect, test } from 'vitest';
import { createPaymentsWorld, orderOf, type PaymentsWorld } from '../test/payments-world.ts';
import type { StripePaymentsOptions } from './stripe-options.ts';
import { webhookBytesMax } from './webhook.ts';

let current: PaymentsWorld | null = null;

const open = async (change: Partial<StripePaymentsOptions> = {}): Promise<PaymentsWorld> => {
  const opened = await createPaymentsWorld(change);
  current = opened;
  return opened;
};

afterEach(async () => {
  await current?.close();
  current = null;
});

const audited = async ({ gateway }: PaymentsWorld): Promise<void> =>
  expect(await gateway.admin.audit()).toMatchObject({ violations: [] });

describe('a paid page', () => {
  test('becomes credits once, however many events of it come, and in whatever order', async () => {
    const world = await open();
    const payment = world.fake.paySession(await world.buy('o1'));
    const session = { object: 'checkout.session', payment_status: 'paid', payment_intent: payment };
    const events = [
      world.fake.event('payment_intent.succeeded', { id: payment }),
      world.fake.event('checkout.session.async_payment_succeeded', session),
      world.fake.event('checkout.session.completed', session),
      world.fake.event('checkout.session.completed', session),
    ];
    const responses = await Promise.all(
      [...events, ...events, ...events].map((event) => world.payments.handler(event.request())),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
    expect(await world.balance()).toBe(10);
    expect(await world.gateway.admin.readStatement(world.account)).toMatchObject([
      { kind: 'deposit', reference: payment },
    ]);
    await audited(world);
  });

  test('becomes credits when the bank has paid, and not before', async () => {
    const world = await open();
    const payment = world.fake.paySession(await world.buy('o1'), { status: 'processing' });
    const session = { payment_status: 'unpaid', payment_intent: payment };
    expect(await world.send('checkout.session.completed', session)).toBe('ignored');
    expect(await world.send('payment_intent.succeeded', { id: payment })).toBe('unpaid');
    expect(await world.balance()).toBe(0);
    world.fake.setStatus(payment, 'succeeded');
    const paid = { ...session, payment_status: 'paid' };
    expect(await world.send('checkout.session.async_payment_succeeded', paid)).toBe('noted');
    expect(await world.balance()).toBe(10);
  });

  test.each([
    ['another amount', { amount: 499 }],
    ['more', { amount: 50_000 }],
  ])('of %s gives nothing, and the host hears of it', async (_what, change) => {
    const world = await open();
    const order = await world.buy('o1');
    const payment = world.fake.paySession(order, change);
    expect(await world.send('payment_intent.succeeded', { id: payment })).toBe('problem');
    expect(await world.balance()).toBe(0);
    expect(world.problems).toEqual([{ kind: 'mismatch', paymentIntent: payment, order }]);
  });

  test('in a currency without cents gives the credits of its pack', async () => {
    const world = await open();
    const payment = world.fake.paySession(await world.buy('o1', 'yen'));
    await world.send('payment_intent.succeeded', { id: payment });
    expect(await world.balance()).toBe(10);
  });

  test('is credited by the repeated event where the first one failed', async () => {
    const world = await open();
    const payment = world.fake.paySession(await world.buy('o1'));
    const event = world.fake.event('payment_intent.succeeded', { id: payment });
    world.fake.faults.push({ path: `/v1/payment_intents/${payment}`, kind: 'refuse' });
    await expect(world.payments.handler(event.request())).rejects.toThrow('unavailable');
    expect(await world.balance()).toBe(0);
    expect((await world.payments.handler(event.request())).status).toBe(200);
    expect(await world.balance()).toBe(10);
  });
});

describe('refunds and disputes', () => {
  test('take the part of the price that went back, by its sum', async () => {
    const world = await open();
    const payment = world.fake.paySession(await world.buy('o1'));
    await world.send('payment_intent.succeeded', { id: payment });
    world.fake.refund(payment, 100);
    await world.send('charge.refunded', { payment_intent: payment });
    expect(await world.balance()).toBe(8);
    world.fake.refund(payment, 150);
    await world.send('refund.created', { payment_intent: payment });
    await world.send('charge.refunded', { payment_intent: payment });
    expect(await world.balance()).toBe(5);
    world.fake.refund(payment, -150);
    await world.send('refund.failed', { payment_intent: payment });
    expect(await world.balance()).toBe(8);
    await audited(world);
  });

  test('before the deposit are taken with it', async () => {
    const world = await open();
    const payment = world.fake.paySession(await world.buy('o1'));
    world.fake.refund(payment, 500);
    await world.send('charge.refunded', { payment_intent: payment });
    await world.send('payment_intent.succeeded', { id: payment });
    expect(await world.balance()).toBe(0);
    expect(await world.gateway.admin.readStatement(world.account)).toHaveLength(2);
  });

  test('take at the withdrawal, return at the reinstatement, and nothing for an inquiry', async () => {
    const world = await open();
    const payment = world.fake.paySession(await world.buy('o1'));
    await world.send('payment_intent.succeeded', { id: payment });
    const dispute = world.fake.openDispute(payment, 500);
    expect(await world.send('charge.dispute.created', { payment_intent: payment })).toBe('ignored');
    await world.send('charge.dispute.closed', { payment_intent: payment });
    expect(await world.balance()).toBe(10);
    dispute.withdraw();
    await world.send('charge.dispute.funds_withdrawn', { payment_intent: payment });
    await world.send('charge.dispute.funds_withdrawn', { payment_intent: payment });
    expect(await world.balance()).toBe(0);
    dispute.reinstate();
    await world.send('charge.dispute.funds_reinstated', { payment_intent: payment });
    expect(await world.balance()).toBe(10);
    await audited(world);
  });

  test('of spent credits leave a debt that the next purchase pays', async () => {
    const world = await open();
    await world.keepCard('pm_good');
    const id = (await world.gateway.payments.listPayments())[0]?.id ?? '';
    world.fake.refund(id, 250);
    await world.send('charge.refunded', { payment_intent: id });
    expect(await world.gateway.payments.readDebt(world.account)).toBe(5_000_000n);
    const next = world.fake.paySession(await world.buy('o2'));
    await world.send('payment_intent.succeeded', { id: next });
    expect(await world.balance()).toBe(5);
    await audited(world);
  });
});

const paid = async (change: Partial<StripePaymentsOptions> = {}) => {
  const world = await open(change);
  const id = world.fake.paySession(await world.buy('o1'));
  return { world, event: world.fake.event('payment_intent.succeeded', { id }), id };
};
const status = async ({ payments }: PaymentsWorld, request: Request): Promise<number> =>
  (await payments.handler(request)).status;
const nowSeconds = () => Math.floor(Date.now() / 1_000);

describe('the endpoint refuses', () => {
  test('a body that was changed', async () => {
    const { world, event } = await paid();
    const { url, headers } = event.request();
    const body = event.body.replace('succeeded', 'refunded_');
    expect(await status(world, new Request(url, { method: 'POST', headers, body }))).toBe(400);
    expect(await world.balance()).toBe(0);
  });

  test('a signature of another time, before as after', async () => {
    const { world, event } = await paid();
    expect(await status(world, event.request(nowSeconds() - 400))).toBe(400);
    expect(await status(world, event.request(nowSeconds() + 400))).toBe(400);
    expect(await status(world, event.request(nowSeconds() + 200))).toBe(200);
  });

  test('another secret, no signature, and another method', async () => {
    const { world, event } = await paid({ webhookSecret: 'whsec_another' });
    expect(await status(world, event.request())).toBe(400);
    expect(await status(world, new Request('https://host.example/', { method: 'POST', body: event.body }))).toBe(400);
    expect(await status(world, new Request('https://host.example/'))).toBe(405);
  });

  test('events of the other mode', async () => {
    const { world, id } = await paid();
    const event = world.fake.event('payment_intent.succeeded', { id }, { livemode: true });
    expect(await status(world, event.request())).toBe(400);
    expect(await world.balance()).toBe(0);
  });

  test('a body beyond the limit', async () => {
    const { world } = await paid();
    const event = world.fake.event('payment_intent.succeeded', { id: 'x'.repeat(webhookBytesMax) });
    expect(await status(world, event.request())).toBe(413);
  });

  test('nothing of events that ask for nothing', async () => {
    const { world } = await paid();
    expect(await world.send('invoice.paid', { id: 'in_1' })).toBe('ignored');
    expect(await world.send('checkout.session.async_payment_failed', { payment_status: 'unpaid' })).toBe('ignored');
    expect(await world.send('charge.refunded', { payment_intent: null })).toBe('ignored');
  });
});

describe('a page', () => {
  test('is the same for the same reference, and for one customer', async () => {
    const world = await open();
    const urls = { successUrl: 'https://host.example/done', cancelUrl: 'https://host.example/back' };
    const input = { account: world.account, pack: 'small', reference: 'o1', ...urls };
    const opened = await Promise.all([1, 2, 3].map(() => world.payments.checkout(input)));
    expect(new Set(opened.map((page) => (page.kind === 'open' ? page.sessionId : page.kind))).size).toBe(1);
    await world.payments.checkout({ ...input, reference: 'o2' });
    const customers = new Set(world.fake.calls.flatMap(({ fields }) => fields['customer'] ?? []));
    expect([...customers]).toEqual([await world.payments.customer(world.account)]);
  });

  test('is refused for packs that are not sold, another pack, a paid order, and an account that is not there', async () => {
    const world = await open();
    const urls = { successUrl: 'https://host.example/done', cancelUrl: 'https://host.example/back' };
    const input = { account: world.account, pack: 'small', reference: 'o1', ...urls };
    expect(await world.payments.checkout({ ...input, pack: 'toString' })).toEqual({ kind: 'unknown_pack' });
    expect(await world.payments.checkout({ ...input, account: 'a9' })).toEqual({ kind: 'missing_account' });
    const id = world.fake.paySession(await world.buy('o1'));
    expect(await world.payments.checkout({ ...input, pack: 'yen' })).toMatchObject({ kind: 'conflict' });
    await world.send('payment_intent.succeeded', { id });
    expect(await world.payments.checkout(input)).toMatchObject({ kind: 'paid', order: { paymentId: id } });
    expect(orderOf(world.account, 'o1')).toBe(`order:${world.account}:o1`);
  });
});
