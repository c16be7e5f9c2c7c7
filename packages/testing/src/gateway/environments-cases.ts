import assert from 'node:assert/strict';
import { environmentSchemas } from '@tollgate/contract';
import { assertRefused, okJson, type Answer } from './answer.ts';
import {
  createdEnvironment,
  createEnvironment,
  deleteEnvironment,
  downloadFile,
  environmentIdleMs,
  environmentWith,
  getEnvironment,
  inline,
  listTree,
} from './environment-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { suiteModel } from './suite-tariff.ts';

/** Asserts that each body is refused with 422 and the code, and that nothing came of any. */
const assertBodiesRefused = async (world: GatewayWorld, code: string, bodies: readonly unknown[]): Promise<void> => {
  for (const body of bodies) assertRefused(await createEnvironment(world, body), 422, code);
  assert.deepEqual(okJson(await world.send({ path: '/environments' })).at('data').value, []);
};

const statusOf = async (world: GatewayWorld, id: string): Promise<unknown> =>
  okJson(await getEnvironment(world, id)).at('status').value;

const network = {
  allowlist: [{ domain: 'api.example.com', transform: { authorization: 'Bearer hidden-secret' } }, { domain: '*.org' }],
};

/** A body of exactly so many bytes, filled up with white space. */
const padded = (bytes: number): string => `{}${' '.repeat(bytes - 2)}`;

/** Environments from their creation to their end. */
export const environmentsCases: readonly GatewayCase[] = [
  gatewayCase(
    'opens an environment that can be used at once [environments:body:fields] [environments:body:network-default] [environments:record:fields] [requests:record:active-kinds]',
    async (world) => {
      const atMs = world.time.now();
      const record = await createdEnvironment(world);
      const id = record.at('id').text();
      const at = new Date(atMs).toISOString();
      assert.deepEqual(record.value, {
        id,
        object: 'environment',
        request_id: id,
        status: 'active',
        model: suiteModel,
        display_name: null,
        charged_credits: 0,
        reserved_credits: 0,
        error_code: null,
        created_at: at,
        updated_at: at,
        completed_at: at,
        expires_at: new Date(atMs + environmentIdleMs).toISOString(),
        sources: [],
        network: 'disabled',
        result: null,
      });
      assert.deepEqual(okJson(await getEnvironment(world, id)).value, record.value);
      const request = await world.record(id);
      assert.equal(request.at('status').value, 'completed');
      assert.deepEqual(request.at('response').value, record.value);
    },
  ),
  gatewayCase(
    'shows sources by their target and headers by their name [environments:record:fields] [environments:body:network-allowlist] [environments:body:network-transform-secret]',
    async (world) => {
      const sources = [inline('notes/todo.md', 'hidden-content'), inline('a.bin')];
      const record = await createdEnvironment(world, { display_name: 'Lab', sources, network });
      const id = record.at('id').text();
      const shown = {
        allowlist: [{ domain: 'api.example.com', transform: { authorization: '***' } }, { domain: '*.org' }],
      };
      assert.deepEqual(record.at('display_name').value, 'Lab');
      assert.deepEqual(record.at('sources').value, [{ target: 'notes/todo.md' }, { target: 'a.bin' }]);
      assert.deepEqual(record.at('network').value, shown);
      environmentSchemas.record('service').parse(record.value);
      const answers: readonly Answer[] = [
        await getEnvironment(world, id),
        await world.send({ path: '/environments' }),
        await world.send({ path: `/requests/${id}` }),
        await listTree(world, id),
        await deleteEnvironment(world, id),
      ];
      for (const { text } of answers) assert.ok(!/hidden-(?:secret|content)/.test(text), text);
      assert.ok(!/hidden-(?:secret|content)/.test(world.logged()));
    },
  ),
  gatewayCase(
    "takes the host's default where the client says nothing [environments:body:network-default]",
    async (world) => {
      assert.deepEqual((await createdEnvironment(world)).at('network').value, { allowlist: [{ domain: '*' }] });
      assert.equal((await createdEnvironment(world, { network: 'disabled' })).at('network').value, 'disabled');
    },
    { environmentNetwork: { allowlist: [{ domain: '*' }] } },
  ),
  gatewayCase('refuses other fields and other values [environments:body:fields]', async (world) => {
    await assertBodiesRefused(world, 'unsupported_parameter', [
      { timeout: 5 },
      { from_environment: 'x' },
      { sources: [{ ...inline('a'), mode: 7 }] },
      { network: { allowlist: [{ domain: 'a.com', credential: 'c' }] } },
    ]);
    await assertBodiesRefused(world, 'invalid_request', [
      [],
      'null',
      { display_name: 7 },
      { sources: 'a' },
      { network: 'open' },
      { network: { allowlist: [{ domain: '10.0.0.1' }] } },
      { network: { allowlist: [{ domain: 'a.com', transform: { host: 'b.com' } }] } },
    ]);
    assertRefused(await createEnvironment(world, '{"sources":'), 400, 'invalid_json');
  }),
  gatewayCase('takes inline sources only [environments:body:source-inline-only]', async (world) => {
    await assertBodiesRefused(
      world,
      'invalid_request',
      ['gcs', 'repository', 'skill_registry', 'credential', 'from_environment'].map((type) => ({
        sources: [{ ...inline('a'), type }],
      })),
    );
    await assertBodiesRefused(world, 'invalid_request', [
      { sources: [{ ...inline('a', '***'), encoding: 'base64' }] },
      { sources: [{ ...inline('a'), encoding: 'hex' }] },
    ]);
  }),
  gatewayCase('refuses targets that lead out or clash [environments:body:source-target]', async (world) => {
    const targets = ['/a', '../a', 'a/../../b', 'a\u0000', '', '.', 'a//b', 'a/', 'a\\b'];
    await assertBodiesRefused(world, 'invalid_request', [
      ...targets.map((target) => ({ sources: [inline(target)] })),
      { sources: [inline('a'), inline('a')] },
      { sources: [inline('a'), inline('a/b')] },
    ]);
  }),
  gatewayCase(
    'takes a source of 76,800 bytes and not one more [environments:body:source-size] [limits:units:binary]',
    async (world) => {
      for (const bytes of [75_000, 76_800])
        await createdEnvironment(world, { sources: [inline('a', 'x'.repeat(bytes))] });
      const over = 'x'.repeat(76_801);
      for (const source of [
        inline('a', over),
        { ...inline('a', Buffer.from(over).toString('base64')), encoding: 'base64' },
      ])
        assertRefused(await createEnvironment(world, { sources: [source] }), 422, 'invalid_request');
    },
  ),
  gatewayCase('takes bodies of 20,971,520 bytes and not one more', async (world) => {
    await createdEnvironment(world, padded(20_971_520));
    assertRefused(await createEnvironment(world, padded(20_971_521)), 413, 'body_too_large');
  }),
  gatewayCase(
    'recovers an environment by its identity, and leaves nothing of the repeat [idempotency:async:recover]',
    async (world) => {
      const body = { sources: [inline('a', 'first')] };
      const headers = { 'idempotency-key': 'once' };
      const first = await createEnvironment(world, body, { headers });
      const id = okJson(first).at('id').text();
      assert.equal(first.headers.get('idempotency-replayed'), 'false');
      const again = await createEnvironment(world, body, { headers });
      assert.deepEqual([okJson(again).at('id').value, again.headers.get('idempotency-replayed')], [id, 'true']);
      assert.equal(await (await downloadFile(world, id, 'a')).text(), 'first');
      assertRefused(await createEnvironment(world, {}, { headers }), 409, 'ai_idempotency_conflict');
    },
  ),
  gatewayCase('costs nothing, and needs no balance', async (world) => {
    const accountId = await world.createAccount(0n);
    const projectId = await world.createProject(accountId);
    const { key } = await world.createCaller({ projectId, model: null });
    const record = okJson(await createEnvironment(world, { sources: [inline('a')] }, { key }));
    assert.equal(record.at('model').value, 'service-auto');
    okJson(await deleteEnvironment(world, record.at('id').text(), { key }));
    assert.deepEqual(await world.wallet.read(accountId), { balanceMicros: 0n, reservedMicros: 0n });
  }),
  gatewayCase(
    'expires after seven days without a use, and its files go [environments:states:idle-expiry]',
    async (world) => {
      const id = await environmentWith(world, 'a');
      world.time.advance(environmentIdleMs - 1_000);
      await world.runJobs();
      assert.equal(await statusOf(world, id), 'active');
      world.time.advance(1_000);
      await world.runJobs();
      await world.runJobs();
      assert.equal(await statusOf(world, id), 'expired');
      assertRefused(await listTree(world, id), 404, 'not_found');
      assert.equal((await world.record(id)).at('status').value, 'completed');
      okJson(await deleteEnvironment(world, id));
      assert.equal(await statusOf(world, id), 'deleted');
    },
  ),
  gatewayCase('is deleted once, and listed no more', async (world) => {
    const kept = await environmentWith(world, 'a');
    const id = await environmentWith(world, 'a');
    const deleted = okJson(await deleteEnvironment(world, id));
    assert.deepEqual([deleted.at('status').value, deleted.at('deleted').value], ['deleted', true]);
    await world.runJobs();
    assertRefused(await deleteEnvironment(world, id), 404, 'not_found');
    assertRefused(await listTree(world, id), 404, 'not_found');
    assert.equal((await downloadFile(world, id, 'a')).status, 404);
    assert.equal(await statusOf(world, id), 'deleted');
    const list = okJson(await world.send({ path: '/environments' }));
    assert.deepEqual(
      list
        .at('data')
        .list()
        .map((record) => record.at('id').value),
      [kept],
    );
    assert.equal(await (await downloadFile(world, kept, 'a')).text(), 'text');
  }),
  gatewayCase("is of the whole project, and of no other's", async (world) => {
    const id = await environmentWith(world, 'a');
    const sibling = await world.createCaller({ projectId: world.projectId, model: null });
    assert.equal(okJson(await getEnvironment(world, id, { key: sibling.key })).at('id').value, id);
    const { key } = await world.createCaller({
      projectId: await world.createProject(world.accountId),
      model: suiteModel,
    });
    assertRefused(await getEnvironment(world, id, { key }), 404, 'not_found');
    assertRefused(await listTree(world, id, '', { key }), 404, 'not_found');
    assertRefused(await deleteEnvironment(world, id, { key }), 404, 'not_found');
    assert.deepEqual(okJson(await world.send({ path: '/environments', key })).at('data').value, []);
    for (const wrong of ['x', world.projectId]) {
      assertRefused(await getEnvironment(world, wrong), 404, 'not_found');
      assertRefused(await listTree(world, wrong), 404, 'not_found');
    }
    for (const ask of [
      { path: '/environments', body: {} },
      { path: '/environments' },
      { path: `/environments/${id}` },
      { path: `/environments/${id}/files` },
      { path: `/environments/${id}`, method: 'DELETE' },
    ])
      assertRefused(await world.send({ ...ask, key: null }), 401, 'invalid_api_key');
  }),
  gatewayCase('outlives the process that opened it', async (world) => {
    const id = await environmentWith(world, 'a/b.txt');
    await world.reopen();
    assert.equal(await statusOf(world, id), 'active');
    assert.equal(await (await downloadFile(world, id, 'a/b.txt')).text(), 'text');
  }),
];
