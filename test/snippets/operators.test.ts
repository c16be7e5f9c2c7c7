// The code that the pages for operators show, run once each.
import { once } from 'node:events';
import type { Server } from 'node:http';
import { cells } from '@tollgate/storage-cells';
import { memoryStorage } from '@tollgate/storage-memory';
import { scriptedProvider, startFakeOpenai } from '@tollgate/testing/fakes';
import { expect, onTestFinished, test } from 'vitest';
import { adminOnNode, openAdmin } from '../../docs/snippets/admin-over-http.ts';
import { fromOne, grown, moveCustomer } from '../../docs/snippets/cells.ts';
import { adminForBoth, consoleOfUsers, consoleOnNode, withConsole } from '../../docs/snippets/console.ts';
import { readiness, refusalCounter } from '../../docs/snippets/observability.ts';
import { openWithOpenai } from '../../docs/snippets/openai-provider.ts';
import { chargeByTicket, readBill } from '../../docs/snippets/reconciling.ts';
import { ask, inMemory, openCustomer, origin, quiet } from './snippet-world.ts';

const listening = async (server: Server): Promise<string> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
};

const secret = 's'.repeat(32);
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

test('the gateway with cors lets the origin of its page in', async () => {
  // It asserts by itself.
  await expect(import('../../docs/snippets/cors.ts')).resolves.toBeDefined();
});

test('the observer of the page counts what clients are refused for, and a route of the host tells readiness', async () => {
  const counts = new Map<string, number>();
  const gateway = await inMemory({ observers: [refusalCounter(counts)] });
  for (const key of ['x', 'y']) await gateway.fetch(ask(key));
  expect([...counts]).toEqual([['invalid_api_key', 2]]);
  const ready = await readiness(gateway);
  expect([ready.status, await ready.json()]).toEqual([200, { isReady: true, isDraining: false }]);
  await gateway.close();
  expect((await readiness(gateway)).status).toBe(503);
});

test('a ticket of the upstream charges a lost request once', async () => {
  const gateway = await inMemory({ provider: scriptedProvider({ otherwise: { kind: 'unknown' } }) });
  const { accountId, key } = await openCustomer(gateway);
  await gateway.fetch(ask(key));
  const [lost] = await gateway.admin.listOperations({ kind: 'account', accountId });
  const ticket = { id: 't-1', inputTokens: 2_000_000 };
  const id = lost?.id ?? '';
  expect([await chargeByTicket(gateway.admin, id, ticket), await chargeByTicket(gateway.admin, id, ticket)]).toEqual([
    true,
    true,
  ]);
  expect(await gateway.admin.readWallet(accountId)).toMatchObject({ balanceMicros: 98_000_000n, reservedMicros: 0n });
  expect(await chargeByTicket(gateway.admin, id, { ...ticket, inputTokens: 1 })).toBe(false);
  await gateway.close();
});

test('the bill of the upstream charges what it names, and says what stays uncertain', async () => {
  const fake = await startFakeOpenai();
  const storage = memoryStorage({ now: () => Date.UTC(2026, 10, 20) });
  const gateway = await openWithOpenai({ baseUrl: fake.url, apiKey: 'k' }, { storage, ...quiet });
  const { accountId, key } = await openCustomer(gateway);
  fake.script({ kind: 'cut_mid_body' }, { kind: 'cut_before_headers' });
  await gateway.fetch(ask(key));
  const requestId = fake.requestId();
  await gateway.fetch(ask(key));
  expect(fake.requests.map(({ path }) => path)).toEqual(['/v1/responses', '/v1/responses']);
  async function* lines() {
    yield { requestId, inputTokens: 3_000_000 };
  }
  const open = await readBill(gateway.admin, lines());
  expect(open.map(({ proposal }) => proposal)).toMatchObject([{ kind: 'none', because: 'no_id' }]);
  expect((await gateway.admin.readWallet(accountId))?.balanceMicros).toBe(97_000_000n);
  await gateway.close();
  await fake.close();
});

test('the administration and the console stand beside the gateway on one server', async () => {
  const gateway = await inMemory();
  const { key, accountId } = await openCustomer(gateway);
  const admin = await listening(
    adminOnNode(gateway, openAdmin(gateway, { olga: 'o'.repeat(32), ada: 'a'.repeat(32) }, accountId)),
  );
  expect((await fetch(`${admin}/admin/accounts`, bearer('o'.repeat(32)))).status).toBe(200);
  expect((await fetch(`${admin}/api/v1/ai/models`, bearer(key))).status).toBe(200);
  const app = withConsole(gateway, secret, 'x'.repeat(32));
  const console = await listening(consoleOnNode(gateway, (request) => Promise.resolve(app.fetch(request))));
  for (const served of [`${console}/console/`, `${console}/console`])
    expect(await (await fetch(served)).text()).toContain('<!doctype html>');
  expect((await fetch(`${console}/api/v1/ai/models`, bearer(key))).status).toBe(200);
  expect((await app.request(ask(key))).status).toBe(200);
  await gateway.close();
});

test('the console of users of the host shows staff every account, and scripts reach the same administration', async () => {
  const gateway = await inMemory();
  const { accountId } = await openCustomer(gateway);
  const page = consoleOfUsers(gateway, async (request) => {
    const email = request.headers.get('cookie');
    return email === null ? null : { email, isStaff: email === 'olga', accountId };
  });
  const statusFor = async (headers: Readonly<Record<string, string>>): Promise<number> =>
    (await page(new Request(`${origin}/console/api/accounts`, { headers }))).status;
  const marked = { 'x-tollgate-console': '1' };
  expect([
    await statusFor(marked),
    await statusFor({ ...marked, cookie: 'ada' }),
    await statusFor({ ...marked, cookie: 'olga' }),
  ]).toEqual([401, 403, 200]);
  const both = adminForBoth(gateway, secret, 'x'.repeat(32));
  expect((await both(new Request(`${origin}/admin/accounts`, bearer(secret)))).status).toBe(200);
  expect((await both(new Request(`${origin}/admin/accounts`))).status).toBe(401);
  await gateway.close();
});

test('the cells of the page keep what one storage had, grow, and move a customer', async () => {
  const [a, b, c] = [memoryStorage(), memoryStorage(), memoryStorage()];
  const { key } = await openCustomer(await inMemory({ storage: a }));
  for (const storage of [fromOne(a, b), grown(a, b, c)])
    expect((await (await inMemory({ storage })).fetch(ask(key))).status).toBe(200);
  const { admin } = await inMemory({ storage: grown(a, b, c) });
  const { id } = await admin.createAccount({ id: '0192f0c1-5c5e-7c3a-8d21-9a4b6f0e1d37', name: 'Big' });
  const same = cells({ cells: { a, b, c }, earlier: [['a'], ['a', 'b']], accounts: { [id]: 'c' } });
  expect(await same.cellOfAccount(id)).toBe('c');
  const moving = cells({ cells: { small: memoryStorage(), large: memoryStorage() } });
  const gateway = await inMemory({ storage: moving });
  const moved = await openCustomer(gateway);
  await moveCustomer(moving, moved.accountId);
  expect(await moving.cellOfAccount(moved.accountId)).toBe('large');
  expect((await gateway.fetch(ask(moved.key))).status).toBe(200);
});
