import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Stripe } from 'stripe';
import { microsFromCredits } from 'tollgate';
import { openAccount } from '../src/accounts.ts';
import { openPayments } from '../src/payments.ts';
import { fakeStripe } from './fake-stripe.ts';
import { startTestServer, type TestServer } from './start-test-server.ts';

const webhookSecret = 'whsec_test';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

/** An event in the bytes and with the signature that Stripe would send. */
const eventOf = (type: string, object: object, secret = webhookSecret): Request => {
  const created = Math.floor(Date.now() / 1_000);
  const body = JSON.stringify({ id: 'evt_1', object: 'event', type, livemode: false, created, data: { object } });
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret });
  return new Request(`${server.origin}/stripe`, { method: 'POST', headers: { 'stripe-signature': signature }, body });
};

test('a paid pack becomes credits, once however often its event comes', async () => {
  const { admin } = server.gateway;
  const { accountId } = await openAccount(admin, { name: 'Ada', credits: '1' });
  const stripe = fakeStripe();
  const environment = { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: webhookSecret };
  const payments = openPayments(server.gateway, environment, stripe.client);
  const page = await payments.checkout({
    account: accountId,
    pack: 'small',
    reference: 'order-1',
    successUrl: 'https://example.com/paid',
    cancelUrl: 'https://example.com/',
  });
  assert.equal(page.kind, 'open');

  const paid = { id: stripe.pay(), object: 'payment_intent' };
  for (let times = 0; times < 2; times += 1)
    assert.equal((await payments.handler(eventOf('payment_intent.succeeded', paid))).status, 200);
  assert.equal((await admin.readWallet(accountId))?.balanceMicros, microsFromCredits('11'));
  assert.deepEqual((await admin.audit()).violations, []);
});

test('the webhook of the server takes what Stripe signed, and refuses what it did not', async () => {
  const isSent = async (request: Request): Promise<number> => (await fetch(request)).status;
  assert.equal(await isSent(eventOf('customer.created', { id: 'cus_1' })), 200);
  assert.equal(await isSent(eventOf('customer.created', { id: 'cus_1' }, 'whsec_forged')), 400);
});
