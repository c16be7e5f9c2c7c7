import assert from 'node:assert/strict';
import { defaultCatalog } from '@tollgate/contract';
import { assertRefused, okJson } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { suiteModel, suiteRow } from './suite-tariff.ts';

/** The catalog as clients see it. */
export const catalogCases: readonly GatewayCase[] = [
  gatewayCase('shows every model of the default catalog by its id', async (world) => {
    const list = okJson(await world.send({ path: '/models' }))
      .at('data')
      .list();
    assert.deepEqual(
      list.map((row) => row.at('id').value),
      defaultCatalog.map(({ id }) => id),
    );
    for (const { id } of defaultCatalog)
      assert.equal(okJson(await world.send({ path: `/models/${id}` })).at('id').value, id);
  }),
  gatewayCase(
    "shows only the host's models when it brings its own [catalog:ids:host-replaceable]",
    async (world) => {
      const list = okJson(await world.send({ path: '/models' }))
        .at('data')
        .list();
      assert.deepEqual(
        list.map((row) => row.at('id').value),
        [suiteModel, 'house-special'],
      );
      const { key } = await world.createCaller({ projectId: world.projectId, model: 'house-special' });
      assert.equal(okJson(await world.chat(undefined, { key })).at('model').value, 'house-special');
      assert.equal((await world.send({ path: '/models/pro-2.5' })).status, 404);
    },
    { catalog: [suiteRow({ id: suiteModel }), suiteRow({ id: 'house-special' })] },
  ),
  gatewayCase('serves text models by chat, and no other family [catalog:family:text]', async (world) => {
    const text = defaultCatalog.filter(({ routes }) => routes.includes('chat'));
    assert.ok(text.length > 0);
    for (const { id, family } of text) {
      assert.equal(family, 'text', id);
      const { key } = await world.createCaller({ projectId: world.projectId, model: id });
      assert.equal(okJson(await world.chat(undefined, { key })).at('model').value, id);
    }
    for (const { id } of defaultCatalog.filter(({ routes }) => !routes.includes('chat'))) {
      const { key } = await world.createCaller({ projectId: world.projectId, model: id });
      assertRefused(await world.chat(undefined, { key }), 422, 'model_incompatible');
    }
  }),
  gatewayCase('tells clients which versions may change [catalog:preview:subject-to-change]', async (world) => {
    for (const row of okJson(await world.send({ path: '/models' }))
      .at('data')
      .list()) {
      const preview = row.at('id').text().includes('preview');
      assert.equal(/preview/i.test(row.at('profile').text()), preview, row.at('id').text());
    }
  }),
];
