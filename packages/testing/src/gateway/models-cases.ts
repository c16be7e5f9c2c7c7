import assert from 'node:assert/strict';
import { defaultCatalog, Model, ModelList } from '@tollgate/contract';
import { assertRefused, assertTextError, okJson, type Json } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { suiteModel, suiteRow, suiteTariff } from './suite-tariff.ts';

const listOf = async (world: GatewayWorld, key?: string): Promise<Json> =>
  okJson(await world.send({ path: '/models', key }));

const rowOf = (list: Json, id: string): Json => {
  const row = list
    .at('data')
    .list()
    .find((each) => each.at('id').value === id);
  assert.ok(row !== undefined, `no row ${id}`);
  return row;
};

const unboundKey = async (world: GatewayWorld): Promise<string> =>
  (await world.createCaller({ projectId: world.projectId, model: null })).key;

/** The routes of models. */
export const modelsCases: readonly GatewayCase[] = [
  gatewayCase('lists the models in one envelope [models:list:envelope]', async (world) => {
    const list = await listOf(world);
    assert.ok(ModelList.safeParse(list.value).success);
    assert.equal(list.at('object').value, 'list');
    assert.equal(list.at('data').list().length, defaultCatalog.length);
  }),
  gatewayCase('selects the model that the key is bound to [models:list:selected-model]', async (world) => {
    assert.equal((await listOf(world)).at('selected_model').value, suiteModel);
  }),
  gatewayCase(
    'selects the automatic model for a key bound to none [models:list:unbound-selected-model]',
    async (world) => {
      assert.equal((await listOf(world, await unboundKey(world))).at('selected_model').value, 'service-auto');
    },
  ),
  gatewayCase('gives every model all its fields [models:record:fields]', async (world) => {
    for (const row of (await listOf(world)).at('data').list()) {
      assert.ok(Model.safeParse(row.value).success, JSON.stringify(row.value));
      assert.equal(row.at('object').value, 'model');
      assert.deepEqual(
        row.keys().toSorted(),
        Object.keys(Model.shape)
          .filter((name) => name !== 'prices')
          .toSorted(),
        'a row holds nothing but the fields of the contract',
      );
    }
  }),
  gatewayCase(
    'shows a model as available only when it is enabled, served and priced [models:record:available]',
    async (world) => {
      const list = await listOf(world);
      const seen = ['ready', 'held-back', 'unserved', 'unpriced'].map((id) => {
        const row = rowOf(list, id);
        return [id, row.at('available').value, row.at('unavailable_reason').value];
      });
      assert.deepEqual(seen, [
        ['ready', true, null],
        ['held-back', false, 'not_released'],
        ['unserved', false, 'no_provider'],
        ['unpriced', false, 'no_tariff'],
      ]);
    },
    {
      catalog: [
        suiteRow({ id: 'ready' }),
        suiteRow({ id: 'held-back' }),
        suiteRow({ id: 'unserved', upstreamKind: 'agent', routes: ['interactions'] }),
        suiteRow({ id: 'unpriced' }),
      ],
      enabledModels: ['ready', 'unserved', 'unpriced'],
      tariff: {
        version: 'suite-partly-priced',
        models: Object.fromEntries(
          ['ready', 'held-back', 'unserved'].map((id) => [id, suiteTariff.models['*'] ?? { perMillion: {} }]),
        ),
      },
    },
  ),
  gatewayCase(
    'passes on which model the host recommends [models:record:recommended]',
    async (world) => {
      const list = await listOf(world);
      const seen = ['a', 'b', 'c'].map((id) => rowOf(list, id).at('recommended').value);
      assert.deepEqual(seen, [false, true, false]);
    },
    {
      catalog: [
        suiteRow({ id: 'a', recommended: false }),
        suiteRow({ id: 'b', recommended: true }),
        suiteRow({ id: 'c', recommended: false }),
      ],
    },
  ),
  gatewayCase("marks only the key's own model as usable [models:record:usable-with-key]", async (world) => {
    for (const row of (await listOf(world)).at('data').list())
      assert.equal(row.at('usable_with_key').value, row.at('id').value === suiteModel, row.at('id').text());
  }),
  gatewayCase('marks every available model as usable for a key bound to none', async (world) => {
    for (const row of (await listOf(world, await unboundKey(world))).at('data').list())
      assert.equal(row.at('usable_with_key').value, row.at('available').value, row.at('id').text());
  }),
  gatewayCase(
    'shows capabilities that the contract names and those of the host [models:capabilities:values]',
    async (world) => {
      const row = okJson(await world.send({ path: '/models/inventive' }));
      assert.deepEqual(row.at('capabilities').value, ['chat', 'pdf_input', 'mind_reading']);
    },
    { catalog: [suiteRow({ id: 'inventive', capabilities: ['chat', 'pdf_input', 'mind_reading'] })] },
  ),
  gatewayCase("reads the key's own model [models:get:own]", async (world) => {
    const row = okJson(await world.send({ path: `/models/${suiteModel}` }));
    assert.ok(Model.safeParse(row.value).success);
    assert.deepEqual([row.at('id').value, row.at('usable_with_key').value], [suiteModel, true]);
    assert.deepEqual(row.value, rowOf(await listOf(world), suiteModel).value);
  }),
  gatewayCase('reads another model as one the key cannot use [models:get:other-model]', async (world) => {
    const row = okJson(await world.send({ path: '/models/pro-2.5' }));
    assert.deepEqual([row.at('id').value, row.at('usable_with_key').value], ['pro-2.5', false]);
  }),
  gatewayCase('answers 404 for a model that is not in the catalog [models:get:unknown]', async (world) => {
    for (const id of ['nope', 'FLASH-2.5', '%20', '..%2fmodels', '__proto__'])
      assertTextError(await world.send({ path: `/models/${id}` }), 404);
  }),
  gatewayCase('reads the automatic model as a record [models:get:automatic]', async (world) => {
    for (const key of [world.key, await unboundKey(world)]) {
      const row = okJson(await world.send({ path: '/models/service-auto', key }));
      assert.ok(Model.safeParse(row.value).success);
      assert.deepEqual([row.at('id').value, row.at('usable_with_key').value], ['service-auto', true]);
    }
  }),
  gatewayCase(
    'refuses a model that is not available before anything is registered [models:use:unavailable]',
    async (world) => {
      const { key } = await world.createCaller({ projectId: world.projectId, model: 'held-back' });
      const error = assertRefused(await world.chat(undefined, { key }), 503, 'service_unavailable');
      assert.equal(error.at('request_id').value, undefined);
      assert.equal(world.provider.calls.length, 0);
      assert.deepEqual(await world.admin.listOperations({ kind: 'project', projectId: world.projectId }), []);
    },
    { catalog: [suiteRow({ id: suiteModel }), suiteRow({ id: 'held-back' })], enabledModels: [suiteModel] },
  ),
];
