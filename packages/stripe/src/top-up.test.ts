import { afterEach, describe, expect, test } from 'vitest';
import { createPaymentsWorld, type PaymentsWorld } from '../test/payments-world.ts';

let current: PaymentsWorld | null = null;

const withCard = async (method = 'pm_good'): Promise<PaymentsWorld> => {
  const opened = await createPaymentsWorld();
  current = opened;
  await opened.keepCard(method);
  opened.rule = { below: '5', pack: 'small', monthAmountMax: 1_000 };
  return opened;
};

afterEach(async () => {
  await current?.close();
  current = null;
});

const charges = ({ fake }: PaymentsWorld) => fake.calls.filter(({ path }) => path === '/v1/payment_intents');

describe('a top-up', () => {
  test('charges the kept card once, however many ask for it', async () => {
    const { payments, account, balance, fake, gateway } = await withCard();
    const answers = await Promise.all([1, 2, 3, 4].map(() => payments.topUp(account)));
    expect(answers.some(({ kind }) => kind === 'paid')).toBe(true);
    expect(await balance()).toBe(10);
    const paid = (await gateway.payments.listPayments()).map(({ id }) => id);
    expect(paid).toHaveLength(2);
    expect(await payments.topUp(account)).toEqual({ kind: 'enough', freeMicros: 10_000_000n });
    const keys = new Set(fake.calls.flatMap(({ path, key }) => (path === '/v1/payment_intents' ? [key] : [])));
    expect([...keys]).toEqual([`topup:${account}:1`]);
  });

  test('is found again where its first call died after the charge', async () => {
    const world = await withCard();
    // Stripe's library sends a request again whose connection was reset.
    for (const kind of ['lose', 'lose'] as const) world.fake.faults.push({ path: '/v1/payment_intents', kind });
    await expect(world.payments.topUp(world.account)).rejects.toThrow('connection');
    expect(await world.balance()).toBe(0);
    expect(await world.payments.topUp(world.account)).toMatchObject({ kind: 'paid' });
    expect(await world.balance()).toBe(10);
    expect(await topUpIds(world)).toHaveLength(1);
  });

  test('is ended by its event where nothing else ends it', async () => {
    const world = await withCard('pm_slow');
    expect(await world.payments.topUp(world.account)).toMatchObject({ kind: 'under_way' });
    expect(await world.payments.topUp(world.account)).toMatchObject({ kind: 'under_way' });
    const [id = ''] = await topUpIds(world);
    world.fake.setStatus(id, 'requires_payment_method', 'insufficient_funds');
    expect(await world.send('payment_intent.payment_failed', { id })).toBe('top_up_ended');
    expect(await world.send('payment_intent.payment_failed', { id })).toBe('ignored');
    expect(world.topUpProblems).toMatchObject([{ kind: 'refused', code: 'insufficient_funds', paymentIntent: id }]);
    expect(await world.payments.topUp(world.account)).toMatchObject({ kind: 'waiting' });
  });

  test('that is refused at the call counts, and keeps the next one back', async () => {
    const world = await withCard('pm_declined');
    expect(await world.payments.topUp(world.account)).toMatchObject({ kind: 'refused' });
    expect(world.topUpProblems).toMatchObject([{ kind: 'refused', code: 'card_declined' }]);
    expect(await world.payments.topUp(world.account)).toMatchObject({ kind: 'waiting' });
    expect(charges(world)).toHaveLength(1);
    expect(await world.gateway.payments.readTopUp(world.account)).toMatchObject({ refusals: 1, monthPrice: 0 });
  });

  test('stops where the card wants its owner, until the customer has a new card', async () => {
    const world = await withCard('pm_owner');
    expect(await world.payments.topUp(world.account)).toMatchObject({ kind: 'authentication_required' });
    expect(world.topUpProblems).toMatchObject([{ kind: 'authentication_required' }]);
    expect(await world.payments.topUp(world.account)).toMatchObject({ kind: 'stopped' });
    await world.keepCard('pm_good');
    expect(await world.payments.topUp(world.account)).toMatchObject({ kind: 'paid' });
  });

  test('that stopped goes on when its customer finished the payment', async () => {
    const world = await withCard('pm_owner');
    await world.payments.topUp(world.account);
    const [id = ''] = await topUpIds(world);
    world.fake.setStatus(id, 'succeeded');
    expect(await world.send('payment_intent.succeeded', { id })).toBe('noted');
    expect(await world.balance()).toBe(10);
    expect(await world.gateway.payments.readTopUp(world.account)).toMatchObject({ stoppedBy: null });
  });

  test('stays under way where it is not known what happened', async () => {
    const world = await withCard();
    world.fake.faults.push({ path: '/v1/payment_intents', kind: 'refuse' });
    await expect(world.payments.topUp(world.account)).rejects.toThrow('unavailable');
    expect(await world.gateway.payments.readTopUp(world.account)).toMatchObject({
      orderId: `topup:${world.account}:1`,
    });
    expect(await world.payments.topUp(world.account)).toMatchObject({ kind: 'paid' });
  });

  test('needs a rule, a pack that is sold and a kept card', async () => {
    const world = await withCard();
    world.rule = { below: '5', pack: 'none', monthAmountMax: 1_000 };
    expect(await world.payments.topUp(world.account)).toEqual({ kind: 'unknown_pack' });
    world.rule = null;
    expect(await world.payments.topUp(world.account)).toEqual({ kind: 'off' });
    const { id } = await world.gateway.admin.createAccount({ name: 'Bo' });
    world.rule = { below: '5', pack: 'small', monthAmountMax: 1_000 };
    expect(await world.payments.topUp(id)).toEqual({ kind: 'no_card' });
  });
});

/** The ids of the automatic payments, from what Stripe lists. */
const topUpIds = async ({ fake }: PaymentsWorld): Promise<readonly string[]> => {
  const { data } = await fake.stripe.paymentIntents.list();
  return data.flatMap(({ id, metadata }) => (metadata['tollgate_order']?.startsWith('topup:') === true ? [id] : []));
};
