import { once } from 'node:events';
import { memoryStorage } from '@tollgate/storage-memory';
import { createGateway, microsFromCredits, silentLogger } from 'tollgate';
import { expect, test } from 'vitest';
import {
  billAfterwards,
  buyPage,
  isPaid,
  reconcileDaily,
  sellCredits,
  serveBoth,
  topUpHooks,
} from '../docs/snippets/payments.ts';
import { startFakeStripe } from '../packages/stripe/test/fake-stripe.ts';

test('the code of the page on payments sells a pack by its page and its webhook', async () => {
  const fake = await startFakeStripe();
  const gateway = await createGateway({ storage: memoryStorage(), logger: silentLogger });
  const { id: account } = await gateway.admin.createAccount({ name: 'Ada' });
  const payments = sellCredits(gateway, fake.stripe, fake.secret);
  const server = serveBoth(gateway, payments).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  expect(await buyPage(payments, account, 'o1')).toContain('https://checkout.example/');
  expect(await isPaid(gateway, account, 'o1')).toBe(false);
  const event = fake.event('payment_intent.succeeded', { id: fake.paySession(`order:${account}:o1`) });
  const headers = { 'stripe-signature': event.sign() };
  const send = (body: string) => fetch(`${url}/stripe`, { method: 'POST', headers, body });
  expect((await send('{}')).status).toBe(400);
  expect(await (await send(event.body)).json()).toEqual({ received: 'noted' });
  expect(await isPaid(gateway, account, 'o1')).toBe(true);
  expect((await fetch(`${url}/api/v1/ai/models`)).status).not.toBe(500);
  expect(await reconcileDaily(payments)).toMatchObject({ payments: 1, missing: [], problems: [] });
  expect(await billAfterwards(payments, account)).toMatchObject({ kind: 'reported', events: 0 });
  server.close();
  server.closeAllConnections();
  await gateway.close({ drainMs: 0 });
  await fake.close();
});

test('the code of the page on payments pays by itself when the hook hears of a low balance', async () => {
  const asked: string[] = [];
  const { promise: paid, resolve } = Promise.withResolvers<void>();
  const payments = {
    topUp: (account: string) => {
      asked.push(account);
      resolve();
      return Promise.resolve({ kind: 'enough', freeMicros: 2_000_000n } as const);
    },
  };
  const gateway = await createGateway({
    storage: memoryStorage(),
    logger: silentLogger,
    hooks: topUpHooks(() => payments),
  });
  const { id: account } = await gateway.admin.createAccount({ name: 'Ada' });
  await gateway.admin.deposit({ accountId: account, amountMicros: microsFromCredits('3'), reference: 'first' });
  const project = await gateway.admin.createProject({ accountId: account, name: 'Engine' });
  const key = await gateway.admin.createKey({ projectId: project?.id ?? '', model: 'flash-3.8' });
  const content = '[[sandbox: tokens in=2000000]] [[sandbox: echo done]]';
  const response = await gateway.fetch(
    new Request('http://host/api/v1/ai/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${key?.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content }] }),
    }),
  );
  expect(response.status).toBe(200);
  await gateway.jobs.runDue();
  await paid;
  expect(asked).toEqual([account]);
  await gateway.close({ drainMs: 0 });
});
