import assert from 'node:assert/strict';
import { basePath, routes, type Route } from '@tollgate/contract';
import { assertRefused, assertTextError, jsonOf, okJson, requestIdOf, uuidPattern, type Answer } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { greeting, type Ask, type GatewayWorld } from './gateway-world.ts';
import { plainAnswerMicros, suiteModel, suiteRow } from './suite-tariff.ts';

/** A call of each of these routes, with ids that exist nowhere. */
const asksOf = (some: readonly Route[]): readonly Ask[] =>
  some.map(({ method, path, request }) => ({
    method,
    path: path.replace('{model}', suiteModel).replaceAll(/\{\w+\}/g, '01900000-0000-7000-8000-000000000000'),
    ...(request === null ? {} : { body: greeting }),
  }));

const everyRoute = asksOf(routes);
const guardedRoutes = asksOf(routes.filter((route: Route) => route.isPublic !== true));

const statusesOf = async (world: GatewayWorld, asks: readonly Ask[]): Promise<readonly number[]> => {
  const answers: Answer[] = [];
  for (const ask of asks) answers.push(await world.send(ask));
  return answers.map(({ status }) => status);
};

const nothingRan = async (world: GatewayWorld): Promise<void> => {
  assert.equal(world.provider.calls.length, 0);
  assert.deepEqual(await world.admin.listOperations({ kind: 'account', accountId: world.accountId }), []);
  assert.equal((await world.wallet.read(world.accountId)).reservedMicros, 0n);
};

/** Who may ask, and for what. */
export const authCases: readonly GatewayCase[] = [
  gatewayCase('refuses every route without a bearer credential [auth:bearer:required]', async (world) => {
    const bad: readonly Readonly<Record<string, string>>[] = [
      {},
      { authorization: '' },
      { authorization: 'Bearer' },
      { authorization: world.key },
      { authorization: `Basic ${world.key}` },
      { 'x-api-key': world.key },
    ];
    for (const ask of guardedRoutes)
      for (const headers of bad) {
        const answer = await world.send({ ...ask, key: null, headers });
        assert.equal(answer.status, 401, `${ask.path} ${JSON.stringify(Object.keys(headers))}`);
      }
    await nothingRan(world);
  }),
  gatewayCase('takes the bearer scheme in any case', async (world) => {
    okJson(await world.send({ path: '/models', key: null, headers: { authorization: `bearer ${world.key}` } }));
  }),
  gatewayCase('refuses a key that it did not issue [auth:bearer:unknown-key]', async (world) => {
    const wrong = `${world.key.slice(0, -1)}${world.key.endsWith('A') ? 'B' : 'A'}`;
    for (const key of ['sk-of-another-product-0123456789', wrong, `${world.key}x`, 'x']) {
      assertRefused(await world.chat(undefined, { key }), 401, 'invalid_api_key');
      assertTextError(await world.send({ path: '/models', key }), 401);
    }
    await nothingRan(world);
  }),
  gatewayCase('refuses a key from the moment it is revoked [auth:bearer:revoked]', async (world) => {
    okJson(await world.chat());
    await world.admin.setKeyStatus(world.keyId, 'revoked');
    assertRefused(await world.chat(), 401, 'invalid_api_key');
    assertTextError(await world.send({ path: '/models' }), 401);
    assert.equal((await world.admin.setKeyStatus(world.keyId, 'active'))?.status, 'revoked');
    assertRefused(await world.chat(), 401, 'invalid_api_key');
    assert.equal(world.provider.calls.length, 1);
  }),
  gatewayCase(
    'refuses a key that is switched off, until it is switched on again [auth:key:inactive]',
    async (world) => {
      await world.admin.setKeyStatus(world.keyId, 'inactive');
      assertRefused(await world.chat(), 401, 'ai_key_inactive');
      await world.admin.setKeyStatus(world.keyId, 'active');
      okJson(await world.chat());
    },
  ),
  gatewayCase('refuses a paused project, until it goes on [auth:project:paused]', async (world) => {
    await world.admin.setProjectStatus(world.projectId, 'paused');
    assertRefused(await world.chat(), 403, 'project_paused');
    assertTextError(await world.send({ path: '/models' }), 403);
    await nothingRan(world);
    await world.admin.setProjectStatus(world.projectId, 'active');
    okJson(await world.chat());
  }),
  gatewayCase(
    'refuses a project or account that is blocked [auth:project:access-blocked] [errors:code:access-blocked]',
    async (world) => {
      await world.admin.setProjectStatus(world.projectId, 'blocked');
      assertRefused(await world.chat(), 403, 'access_blocked');
      await world.admin.setProjectStatus(world.projectId, 'active');
      await world.admin.setAccountStatus(world.accountId, 'blocked');
      assertRefused(await world.chat(), 403, 'access_blocked');
      await nothingRan(world);
    },
  ),
  gatewayCase('refuses an account without an active contract [auth:account:access-unavailable]', async (world) => {
    await world.admin.setAccountStatus(world.accountId, 'inactive');
    assertRefused(await world.chat(), 402, 'ai_contract_inactive');
    await nothingRan(world);
    await world.admin.setAccountStatus(world.accountId, 'active');
    okJson(await world.chat());
  }),
  gatewayCase(
    'checks key, project and account before it reserves anything [ledger:precheck:key-project-account]',
    async (world) => {
      okJson(await world.chat());
      const before = await world.wallet.read(world.accountId);
      const refusals: readonly (readonly [() => Promise<unknown>, () => Promise<unknown>, number])[] = [
        [
          () => world.admin.setKeyStatus(world.keyId, 'inactive'),
          () => world.admin.setKeyStatus(world.keyId, 'active'),
          401,
        ],
        [
          () => world.admin.setProjectStatus(world.projectId, 'paused'),
          () => world.admin.setProjectStatus(world.projectId, 'active'),
          403,
        ],
        [
          () => world.admin.setAccountStatus(world.accountId, 'inactive'),
          () => world.admin.setAccountStatus(world.accountId, 'active'),
          402,
        ],
      ];
      for (const [close, reopen, status] of refusals) {
        await close();
        assert.equal((await world.chat()).status, status);
        assert.deepEqual(await world.wallet.read(world.accountId), before);
        await reopen();
      }
      assert.equal(world.provider.calls.length, 1);
    },
  ),
  gatewayCase('works for one project and account by key [auth:key:account-and-project]', async (world) => {
    const before = await world.wallet.read(world.accountId);
    const answers = [okJson(await world.chat()), okJson(await world.chat())];
    for (const answer of answers) assert.equal(answer.at('service', 'project_id').value, world.projectId);
    const after = await world.wallet.read(world.accountId);
    assert.equal(before.balanceMicros - after.balanceMicros, 2n * plainAnswerMicros);
  }),
  gatewayCase('shares requests between the keys of a project', async (world) => {
    const id = requestIdOf(await world.chat());
    const other = await world.createCaller({ projectId: world.projectId, model: 'pro-2.5' });
    okJson(await world.send({ path: `/requests/${id}`, key: other.key }));
  }),
  gatewayCase(
    'chooses a model for a key bound to none [auth:key:unbound-automatic]',
    async (world) => {
      const { key } = await world.createCaller({ projectId: world.projectId, model: null });
      assert.equal(okJson(await world.chat(undefined, { key })).at('model').value, 'second');
      assert.equal(world.provider.calls[0]?.call.upstreamModel, 'upstream-of-second');
      const named = okJson(await world.chat({ ...greeting, model: 'first' }, { key }));
      assert.equal(named.at('model').value, 'first');
      assertRefused(await world.chat({ ...greeting, model: 'nope' }, { key }), 404, 'not_found');
    },
    {
      catalog: [suiteRow({ id: 'first' }), suiteRow({ id: 'second' })],
      selectModel: (available) => available.at(-1) ?? null,
    },
  ),
  gatewayCase('chooses a recommended model when the host does not choose', async (world) => {
    const { key } = await world.createCaller({ projectId: world.projectId, model: null });
    const model = okJson(await world.chat(undefined, { key }))
      .at('model')
      .text();
    const list = okJson(await world.send({ path: '/models', key }))
      .at('data')
      .list();
    const chosen = list.find((row) => row.at('id').value === model);
    assert.equal(chosen?.at('recommended').value, true);
    assert.equal(chosen?.at('available').value, true);
  }),
  gatewayCase('keeps a key bound to its model whatever it calls [auth:key:binding-fixed]', async (world) => {
    for (const ask of everyRoute) await world.send(ask);
    assertRefused(await world.chat({ ...greeting, model: 'pro-2.5' }), 422, 'model_key_mismatch');
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      assert.equal((await world.send({ method, path: '/models/pro-2.5', body: {} })).status, 405);
    const [key] = await world.admin.listKeys(world.projectId);
    assert.deepEqual([key?.id, key?.model], [world.keyId, suiteModel]);
  }),
  gatewayCase('has no route for keys [auth:key:not-issued-here]', async (world) => {
    assert.deepEqual(
      routes.filter(({ path }) => /key/i.test(path)),
      [],
    );
    for (const path of ['/keys', '/api-keys', `/keys/${world.keyId}`, `/projects/${world.projectId}/keys`])
      for (const method of ['GET', 'POST', 'DELETE'])
        assert.equal((await world.send({ method, path, body: method === 'POST' ? {} : undefined })).status, 404);
  }),
  gatewayCase('never shows a key, not even in an error about it [auth:key:never-echoed]', async (world) => {
    // Each answer of the suite is searched for every key of its case; these are the ones most likely to hold it.
    const asks: readonly Ask[] = [
      ...everyRoute,
      { path: `/models/${world.key}` },
      { path: `/requests/${world.key}` },
      { path: '/chat/completions', body: { ...greeting, model: world.key } },
      { path: '/chat/completions', body: { ...greeting, [world.key]: 1 } },
      { path: '/chat/completions', body: greeting, headers: { 'idempotency-key': world.key } },
    ];
    for (const ask of asks) await world.send(ask);
    assert.ok(!world.logged().includes(world.key), 'the log holds the key');
  }),
  gatewayCase('gives ids that are uuids [auth:path:ids-are-uuids]', async (world) => {
    const answer = okJson(await world.chat());
    assert.match(answer.at('service', 'request_id').text(), uuidPattern);
    assert.match(answer.at('service', 'project_id').text(), uuidPattern);
    assert.match(answer.at('id').text().replace('chatcmpl-', ''), uuidPattern);
  }),
  gatewayCase('reads JSON with parameters of its content type [auth:body:content-type]', async (world) => {
    for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset=UTF-8'])
      okJson(await world.chat(undefined, { headers: { 'content-type': type } }));
  }),
  gatewayCase('redirects no request [auth:host:no-redirect]', async (world) => {
    const paths = ['/models/', '/chat/completions/', '/', '//models', '/MODELS', '/models/flash-2.5/'];
    const asks = [...everyRoute, ...paths.map((path) => ({ path }))];
    for (const status of await statusesOf(world, asks)) assert.ok(status < 300 || status >= 400, String(status));
    assert.ok(basePath.startsWith('/') && !basePath.endsWith('/'));
  }),
  gatewayCase('tells a key of another project that there is no such request', async (world) => {
    const id = requestIdOf(await world.chat());
    const foreign = await world.createCaller({
      projectId: await world.createProject(world.accountId),
      model: suiteModel,
    });
    const answer = await world.send({ path: `/requests/${id}`, key: foreign.key });
    assertTextError(answer, 404);
    const unknown = await world.send({ path: '/requests/01900000-0000-7000-8000-000000000000', key: foreign.key });
    assert.deepEqual(jsonOf(answer.text).value, jsonOf(unknown.text).value);
  }),
];
