// Starts the shop, uses it from sign-up to a statement, in a browser where there is one, and sees that nothing is left.
import assert from 'node:assert/strict';
import type { Gateway } from 'tollgate';
import { openBooks } from './books.ts';
import { browserVisitor, findBrowser } from './browser-visitor.ts';
import { checkKill } from './check-kill.ts';
import { checkCredits, checkTrace } from './check-telemetry.ts';
import { startFakeCollector } from './fake-collector.ts';
import { fetchVisitor } from './fetch-visitor.ts';
import { openGateway } from './open-gateway.ts';
import { startShop, type StartedShop } from './start-shop.ts';
import { until } from './until.ts';
import type { Visitor } from './visitor.ts';

const chat = (origin: string, key: string, content: string, identity: string): Promise<Response> =>
  fetch(`${origin}/api/v1/ai/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': identity },
    body: JSON.stringify({ model: 'flash-3.8', max_tokens: 200, messages: [{ role: 'user', content }] }),
  });

const openVisitor = (origin: string): Promise<Visitor> | Visitor => {
  const browser = findBrowser();
  if (browser !== null) return browserVisitor(browser, origin);
  console.log('    there is no browser on this machine: the same steps are taken by requests');
  return fetchVisitor(origin);
};

const customer = 'ada@customer.example';
const password = 'correct horse battery';

const checkPurchase = async (visitor: Visitor): Promise<void> => {
  await visitor.signUp(customer, password);
  assert.equal(Number(await visitor.readBalance()), 0);
  await visitor.buy('small');
  assert.equal(Number(await visitor.readBalance()), 10);
  console.log('ok  signed up, bought 10 credits, and credited once for four deliveries of the payment');
};

const checkCalls = async ({ processes: [a, b] }: StartedShop, visitor: Visitor, admin: Gateway['admin']) => {
  const key = await visitor.createKey('laptop');
  assert.match(key, /^shop_tg_/u);
  const first = await chat(a.origin, key, '[[sandbox: echo hello]]', 'order-1');
  assert.equal(first.status, 200);
  const operationId = first.headers.get('x-request-id') ?? '';
  const text = await first.text();
  const again = await chat(b.origin, key, '[[sandbox: echo hello]]', 'order-1');
  assert.deepEqual([again.headers.get('idempotency-replayed'), await again.text()], ['true', text]);
  assert.equal((await chat(b.origin, key, 'something forbidden', 'order-2')).status, 403);
  const account = (await admin.listAccounts()).find(({ name }) => name === customer);
  assert.ok(account);
  const wallet = await admin.readWallet(account.id);
  assert.ok(wallet);
  assert.ok(wallet.balanceMicros < 10_000_000n && wallet.reservedMicros === 0n);
  assert.equal(Number(await visitor.readBalance()) * 1_000_000, Number(wallet.balanceMicros));
  console.log('ok  called by process a, replayed by process b, charged once, shown on the page');
  return { accountId: account.id, key, operationId, spentMicros: 10_000_000n - wallet.balanceMicros };
};

const chargeOf = async (response: Response): Promise<number> => {
  // A completion of the gateway says what it cost.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return ((await response.json()) as { readonly service: { readonly credits: number } }).service.credits;
};

const checkTerms = async ({ processes: [a, b] }: StartedShop, admin: Gateway['admin'], accountId: string) => {
  // The project of a user has the id of the user.
  const owned = { projectId: accountId, model: null };
  const whole = await admin.createKey(owned);
  const slow = await admin.createKey({ ...owned, limits: { requestsPerMinute: 1 } });
  assert.ok(whole && slow);
  let calls = 0;
  const charge = async (): Promise<number> => {
    calls += 1;
    return chargeOf(await chat(a.origin, whole.key, '[[sandbox: echo hello]]', `plan-${calls}`));
  };
  const before = await charge();
  await admin.changeAccount(accountId, { plan: 'pro' });
  // A process may know the account as it was for some seconds more.
  await until('the price of the plan', async () => Math.round(((await charge()) / before) * 100) === 80);
  const statuses = [];
  for (const { origin } of [a, b, a])
    statuses.push((await chat(origin, slow.key, '[[sandbox: echo hello]]', `of-${statuses.length}`)).status);
  assert.deepEqual(statuses, [200, 429, 429]);
  console.log('ok  the plan takes a fifth off, and the two processes keep one limit together');
  return calls + 1;
};

const balanceOf = async (admin: Gateway['admin'], accountId: string): Promise<bigint> =>
  (await admin.readWallet(accountId))?.balanceMicros ?? 0n;

/** A text of about so many tokens. */
const wordsOf = (tokens: number): string => 'word '.repeat(tokens);

/** Spends until few credits are left: the shop hears of it, and charges the card that the user let it keep. */
const checkTopUp = async (
  { processes: [a, b] }: StartedShop,
  admin: Gateway['admin'],
  accountId: string,
  key: string,
) => {
  let calls = 0;
  while ((await balanceOf(admin, accountId)) >= 2_000_000n) {
    const { origin } = calls % 2 === 0 ? a : b;
    assert.equal((await chat(origin, key, wordsOf(4_000), `spend-${calls}`)).status, 200);
    calls += 1;
    assert.ok(calls < 20);
  }
  await until('the reminder', () => books.isReminded(accountId));
  await until('the automatic payment', async () => (await balanceOf(admin, accountId)) > 10_000_000n);
  const deposits = (await admin.readStatement(accountId)).filter(({ kind }) => kind === 'deposit');
  assert.deepEqual(
    deposits.map(({ amountMicros }) => amountMicros),
    [10_000_000n, 10_000_000n],
  );
  console.log('ok  a low balance was heard of, and the kept card bought 10 credits, once for two events');
  return calls;
};

/** The page calls with the session of its user; the page of another site cannot, although the browser sends the cookie. */
const checkSession = async (
  visitor: Visitor,
  { processes: [, b] }: StartedShop,
  admin: Gateway['admin'],
  owner: string,
) => {
  assert.equal(await visitor.ask('[[sandbox: echo by session]]'), 'by session');
  const [last] = await admin.listOperations({ kind: 'account', accountId: owner });
  const keys = await admin.listKeys(owner);
  assert.equal(keys.find(({ id }) => id === last?.keyId)?.reference, 'page');
  const forged = await fetch(`${b.origin}/api/v1/ai/models`, {
    headers: { cookie: 'better-auth.session_token=forged', origin: 'https://evil.example' },
  });
  assert.equal(forged.status, 403);
  console.log('ok  the page asked the model with the session of its user, without a key');
};

const checkPaper = async (visitor: Visitor, shop: StartedShop, spentMicros: bigint): Promise<void> => {
  const [head, debit, deposit] = (await visitor.readStatement()).split('\r\n').map((line) => line.split(','));
  assert.deepEqual(head?.slice(2, 5), ['kind', 'credits', 'balance']);
  assert.deepEqual([debit?.[2], Math.round(Number(debit?.[3]) * -1e6)], ['debit', Number(spentMicros)]);
  assert.deepEqual([deposit?.[2], Number(deposit?.[3])], ['deposit', 10]);
  await visitor.seeInConsole(customer);
  await visitor.signOut();
  await visitor.signIn(shop.settings.staffEmail, shop.staffPassword);
  await visitor.seeInConsole('Accounts');
  console.log('ok  the statement has the deposit and the call; customer and staff see their part of the console');
};

const collector = await startFakeCollector();
const shop = await startShop({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin });
// The operator's side: it serves nothing and works on nothing.
const books = openBooks(shop.settings.databaseUrl);
const { gateway } = await openGateway(shop.settings, books);
const { admin } = gateway;

const visit = async (visitor: Visitor): Promise<{ readonly operationId: string; readonly micros: bigint }> => {
  await checkPurchase(visitor);
  const { accountId, key, operationId, spentMicros } = await checkCalls(shop, visitor, admin);
  await checkPaper(visitor, shop, spentMicros);
  await visitor.signOut();
  await visitor.signIn(customer, password);
  await checkSession(visitor, shop, admin, accountId);
  const termCalls = await checkTerms(shop, admin, accountId);
  const calls = 2 + termCalls + (await checkTopUp(shop, admin, accountId, key));
  await until('the event of the settlement', async () => (await books.settledOf(accountId)).calls === calls);
  const { micros } = await books.settledOf(accountId);
  assert.equal(20_000_000n - micros, await balanceOf(admin, accountId));
  const scraped = await (await fetch(shop.processes[0].metricsUrl)).text();
  assert.match(scraped, /^tollgate_charged_credits\S* \S+$/mu);
  assert.deepEqual(visitor.faults, []);
  console.log('ok  the hook heard of each settlement, and the metrics count the credits');
  return { operationId, micros };
};

const checkStories = async () => {
  const visitor = await openVisitor(shop.processes[0].origin);
  try {
    return await visit(visitor);
  } finally {
    await visitor.close();
  }
};

try {
  const { operationId, micros } = await checkStories();
  assert.deepEqual((await admin.audit()).violations, []);
  // At its end a process sends what it has not sent yet.
  for (const { end } of shop.processes) assert.equal(await end(), 0);
  console.log('ok  the audit is clean, and both processes ended in good order');
  checkTrace(collector, operationId);
  checkCredits(collector, micros);
  console.log('ok  the collector has the call in the trace of Express, and the credits of both processes');
} finally {
  await Promise.all([gateway.close(), books.close()]);
  await shop.close();
  await collector.close();
}
for (const pid of shop.pids) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
console.log(`ok  none of ${shop.pids.length} processes is left`);
await checkKill();
