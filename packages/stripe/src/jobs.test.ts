import { isConfigurationError } from '@tollgate/contract/configuration';
import { afterEach, describe, expect, test } from 'vitest';
import { createPaymentsWorld, type PaymentsWorld } from '../test/payments-world.ts';
import { meterAgeMsMax } from './meter.ts';
import type { StripePaymentsOptions } from './stripe-options.ts';

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

describe('reconcile', () => {
  test('gives what lost events left out, and takes what they would have taken', async () => {
    const { fake, buy, payments, balance, send } = await open();
    const lost = fake.paySession(await buy('o1'));
    const known = fake.paySession(await buy('o2'));
    await send('payment_intent.succeeded', { id: known });
    fake.refund(known, 250);
    const dry = await payments.reconcile({ sinceMs: Date.now() - 86_400_000, dryRun: true });
    expect(dry).toEqual({ payments: 2, missing: [lost], lookedUp: 1, problems: [] });
    expect(await balance()).toBe(10);
    expect(await payments.reconcile({ sinceMs: Date.now() - 86_400_000 })).toEqual(dry);
    expect(await balance()).toBe(15);
    expect(await payments.reconcile({ sinceMs: 0 })).toMatchObject({ payments: 2, missing: [] });
    expect(await balance()).toBe(15);
  });

  test('tells of payments that no order explains', async () => {
    const { fake, buy, payments } = await open();
    const order = await buy('o1');
    const paymentIntent = fake.paySession(order, { amount: 1 });
    const { problems } = await payments.reconcile({ sinceMs: 0 });
    expect(problems).toEqual([{ kind: 'mismatch', paymentIntent, order }]);
  });
});

const charge = async ({ gateway, account }: PaymentsWorld, charges: number): Promise<void> => {
  const project = await gateway.admin.createProject({ accountId: account, name: 'p' });
  const key = await gateway.admin.createKey({ projectId: project?.id ?? '', model: null });
  const secret = key?.key ?? '';
  await gateway.admin.deposit({ accountId: account, amountMicros: 1_000_000_000n, reference: 'much' });
  for (let at = 0; at < charges; at += 1) {
    const response = await gateway.fetch(
      new Request('http://gateway/api/v1/ai/chat/completions', {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'flash-2.5', messages: [{ role: 'user', content: 'Hello' }] }),
      }),
    );
    if (!response.ok) throw new Error(await response.text());
    await response.text();
  }
};

const entries = async ({ gateway, account }: PaymentsWorld) =>
  (await gateway.admin.readStatement(account)).filter(({ kind }) => kind === 'debit');

describe('usage for a meter', () => {
  test('is every charge of the ledger, once', async () => {
    const world = await open();
    await charge(world, 3);
    const input = { account: world.account, eventName: 'credits' };
    expect(await world.payments.meterUsage(input)).toEqual({ kind: 'reported', events: 3, tooOld: 0, untilSeq: 4 });
    expect(await world.payments.meterUsage(input)).toMatchObject({ events: 0, untilSeq: 4 });
    const charged = (await entries(world)).map(({ id, amountMicros }) => [
      id,
      { value: String(-amountMicros), times: 1 },
    ]);
    expect(Object.fromEntries(world.fake.meterEvents)).toEqual(Object.fromEntries(charged));
  });

  test('is sent again under the same name where a call failed', async () => {
    const world = await open();
    await charge(world, 2);
    const input = { account: world.account, eventName: 'credits', count: () => 1n };
    for (const kind of ['lose', 'lose', 'lose'] as const)
      world.fake.faults.push({ path: '/v2/billing/meter_events', kind });
    await expect(world.payments.meterUsage(input)).rejects.toThrow('connection');
    expect(await world.payments.meterUsage(input)).toMatchObject({ events: 2 });
    expect([...world.fake.meterEvents.values()].map(({ value }) => value)).toEqual(['1', '1']);
  });

  test('leaves out what Stripe would not take any more, and says how much', async () => {
    let aheadMs = 0;
    const world = await open({ nowMs: () => Date.now() + aheadMs });
    await charge(world, 1);
    aheadMs = meterAgeMsMax + 60_000;
    const input = { account: world.account, eventName: 'credits' };
    expect(await world.payments.meterUsage(input)).toMatchObject({ events: 0, tooOld: 1 });
    expect(await world.payments.meterUsage({ ...input, account: 'a9' })).toEqual({ kind: 'missing_account' });
  });
});

describe('the options', () => {
  test.each<[string, object, string]>([
    [
      'an amount of floats',
      { packs: { s: { credits: '10', amount: 5.5, currency: 'usd', name: 'x' } } },
      'amount is 5.5',
    ],
    ['no credits', { packs: { s: { credits: '0', amount: 5, currency: 'usd', name: 'x' } } }, 'credits is no amount'],
    [
      'a large currency',
      { packs: { s: { credits: '1', amount: 5, currency: 'USD', name: 'x' } } },
      'currency is no currency',
    ],
    ['no mode', { live: undefined }, 'live is missing'],
    ['another policy', { spentRefunds: 'ignore' }, 'spentRefunds is the text "ignore"'],
  ])('refuse %s by name', async (_what, change, why) => {
    const refused: unknown = await open(change).catch((error: unknown) => error);
    expect(isConfigurationError(refused)).toBe(true);
    expect(String(refused)).toContain(why);
  });
});
