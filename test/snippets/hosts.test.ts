// The code that the pages for hosts show, run once each.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { scriptedProvider, type ScriptedProvider } from '@tollgate/testing/fakes';
import { memoryStorage } from '@tollgate/storage-memory';
import { microsFromCredits, type Gateway } from 'tollgate';
import type { Provider } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { openWithDialect } from '../../docs/snippets/dialect.ts';
import { answerTokens } from '../../docs/snippets/keys.ts';
import { besideOtherRoutes } from '../../docs/snippets/mounting.ts';
import { giveRoom, imageModels, openGateway, tieredTariff } from '../../docs/snippets/options.ts';
import { fastest, hedged, startsInTime, sticky, withinBudget } from '../../docs/snippets/routing.ts';
import { gatewayIn } from '../../docs/snippets/sqlite-driver.ts';
import { ask, inMemory, openCustomer, origin, quiet } from './snippet-world.ts';

const dead = { otherwise: { kind: 'not_executed', reason: 'unavailable', sent: false } } as const;

/** Who was called for one request that the first of two providers does not take. */
const calledBy = async (route: (first: Provider, second: Provider) => Provider, isDead: boolean) => {
  const first: ScriptedProvider = scriptedProvider({ name: 'first', ...(isDead && dead) });
  const gateway = await inMemory({ provider: route(first, scriptedProvider({ name: 'second' })) });
  const { key, accountId } = await openCustomer(gateway);
  expect((await gateway.fetch(ask(key))).status).toBe(200);
  const [operation] = await gateway.admin.listOperations({ kind: 'account', accountId });
  await gateway.close();
  return operation?.attempts.map(({ provider }) => provider);
};

test.each([
  ['a hedge', hedged],
  ['a wait for the first piece', startsInTime],
  ['a budget', withinBudget],
])('%s of the page on routing asks the first provider, and the second where the first is away', async (_, route) => {
  expect(await calledBy(route, false)).toEqual(['first']);
  expect(await calledBy(route, true)).toEqual(['first', 'second']);
});

test('a project of the page on routing stays with its region, and the faster region is passed over where it is away', async () => {
  const [west, east] = [scriptedProvider({ name: 'west' }), scriptedProvider({ name: 'east' })];
  const gateway = await inMemory({ provider: sticky(west, east) });
  const { key } = await openCustomer(gateway);
  for (const content of ['a', 'b', 'c', 'd']) await gateway.fetch(ask(key, content));
  expect(new Set([west.calls.length, east.calls.length])).toEqual(new Set([0, 4]));
  await gateway.close();
  expect((await calledBy(fastest, true))?.at(-1)).toBe('second');
});

test('the price list with tiers charges a fee, and a long request by the higher prices', async () => {
  const gateway = await inMemory({ tariff: tieredTariff });
  const { key, accountId } = await openCustomer(gateway);
  for (const tokens of [10_000, 300_000]) await gateway.fetch(ask(key, `[[sandbox: tokens in=${tokens} out=0]]`));
  const operations = await gateway.admin.listOperations({ kind: 'account', accountId });
  expect(operations.map(({ chargedMicros }) => chargedMicros)).toEqual(['0.6001', '0.0101'].map(microsFromCredits));
  await gateway.close();
});

test('a request to an image model of the page holds four images', async () => {
  const images = { input_text_tokens: '0', output_text_tokens: '0', images: '1000000' };
  const gateway = await inMemory({
    provider: scriptedProvider({ otherwise: { kind: 'unknown' } }),
    tariff: { version: 'images-1', models: { '*': { perMillion: images } } },
    catalog: imageModels,
  });
  const { key, accountId } = await openCustomer(gateway, 'flash-3.1-image');
  const { headers } = ask(key);
  const body = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Draw.' }] }] });
  const address = `${origin}/api/v1/ai/models/flash-3.1-image:generateContent`;
  await gateway.fetch(new Request(address, { method: 'POST', headers, body }));
  expect((await gateway.admin.readWallet(accountId))?.reservedMicros).toBe(microsFromCredits('4'));
  await gateway.close();
});

test('a project gets more room, and its usage is reported', async () => {
  const gateway = await inMemory();
  const { projectId } = await openCustomer(gateway);
  expect(await giveRoom(gateway, projectId)).toBe(0);
  expect(await gateway.admin.readProjectQuotas(projectId)).toMatchObject({ quotas: { filesMax: 5_000 } });
  await gateway.close();
});

test('the gateway of the page on hosting sells its two models, each by its provider', async () => {
  const gateway = await openGateway('the key of the upstream', ':memory:');
  const { key } = await openCustomer(gateway, null);
  const answer = await gateway.fetch(
    new Request(`${origin}/api/v1/ai/models`, { headers: { authorization: `Bearer ${key}` } }),
  );
  const { data } = (await answer.json()) as {
    readonly data: readonly { readonly id: string; readonly available: boolean }[];
  };
  expect(data.flatMap(({ id, available }) => (available ? [id] : []))).toEqual(['open-4-31b-it', 'flash-3.8']);
  const own = await openCustomer(gateway, 'open-4-31b-it');
  const chat = await gateway.fetch(ask(own.key));
  expect([chat.status, await chat.text()]).toEqual([200, expect.stringContaining('"service":')]);
  await gateway.close();
});

test('the route for tokens gives a visitor a token for its page, and others none', async () => {
  const gateway = await inMemory();
  const { keyId } = await openCustomer(gateway, null);
  const answer = await answerTokens(gateway.admin, { keyId });
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(await answer.json()).toEqual({ token: expect.any(String), expiresAt: expect.stringMatching(/Z$/u) });
  expect((await answerTokens(gateway.admin, null)).status).toBe(401);
  expect((await answerTokens(gateway.admin, { keyId: randomUUID() })).status).toBe(403);
  await gateway.close();
});

const tells = async (gateway: Gateway): Promise<void> => {
  const { key } = await openCustomer(gateway);
  expect((await gateway.fetch(ask(key))).status).toBe(200);
  expect((await gateway.admin.audit()).violations).toEqual([]);
  await gateway.close();
};

test('a server with other routes serves both', async () => {
  const gateway = await inMemory();
  const server = besideOtherRoutes(gateway).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const served = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  expect(await (await fetch(`${served}/`)).text()).toBe('the other routes');
  expect((await fetch(`${served}/api/v1/ai/models`)).status).toBe(401);
  server.closeAllConnections();
  server.close();
  await tells(gateway);
});

test('a gateway with the dialect of the page has its route', async () => {
  const gateway = await openWithDialect({ storage: memoryStorage(), ...quiet });
  const answer = await gateway.fetch(new Request(`${origin}/api/v1/ai/complete`, { method: 'POST', body: '{}' }));
  expect(answer.status).toBe(401);
  await tells(gateway);
});

test('a gateway over the driver of the page serves', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-snippet-'));
  const gateway = await gatewayIn(path.join(folder, 'gateway.db'));
  expect((await gateway.fetch(ask('no key'))).status).toBe(401);
  await tells(gateway);
  rmSync(folder, { recursive: true });
});
