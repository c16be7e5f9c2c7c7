import assert from 'node:assert/strict';
import { assertRefused, okJson } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { createDocument, createStore, deleteOne, documentId, getOne, storeId, workOnDocuments } from './store-ask.ts';

const count = async (world: GatewayWorld, id: string): Promise<unknown> =>
  (await getOne(world, 'stores', id)).at('document_count').value;

const foreign = async (world: GatewayWorld): Promise<string> => {
  const { key } = await world.createCaller({ projectId: await world.createProject(world.accountId), model: null });
  return key;
};

export const storesCases: readonly GatewayCase[] = [
  gatewayCase(
    'creates a store that can be used at once and costs nothing [stores:body:display-name] [stores:record:document-count]',
    async (world) => {
      const store = okJson(await createStore(world, { display_name: 'Handbooks' }));
      const id = store.at('id').text();
      assert.deepEqual(
        [
          'object',
          'request_id',
          'status',
          'display_name',
          'document_count',
          'charged_credits',
          'reserved_credits',
          'result',
        ].map((name) => store.at(name).value),
        ['store', id, 'active', 'Handbooks', 0, 0, 0, null],
      );
      assert.deepEqual((await getOne(world, 'stores', id)).value, store.value);
      assert.equal((await world.record(id)).at('status').value, 'completed');
      assert.equal(okJson(await createStore(world)).at('display_name').value, null);
      assert.equal((await world.wallet.read(world.accountId)).reservedMicros, 0n);
    },
  ),
  gatewayCase('refuses a store with a wrong name or an unknown field [stores:body:display-name]', async (world) => {
    assertRefused(await createStore(world, { display_name: 7 }), 422, 'invalid_request');
    assertRefused(await createStore(world, { display_name: null }), 422, 'invalid_request');
    assertRefused(await createStore(world, { documents: [] }), 422, 'unsupported_parameter');
    assertRefused(await createStore(world, []), 422, 'invalid_request');
    assertRefused(await createStore(world, '{'), 400, 'invalid_json');
    assert.equal(
      okJson(await world.send({ path: '/stores' }))
        .at('data')
        .list().length,
      0,
    );
  }),
  gatewayCase('recovers a store by its identity [idempotency:async:recover]', async (world) => {
    const headers = { 'idempotency-key': 'once' };
    const id = await storeId(world, { headers });
    const again = await createStore(world, {}, { headers });
    assert.deepEqual([okJson(again).at('id').value, again.headers.get('idempotency-replayed')], [id, 'true']);
    assertRefused(await createStore(world, { display_name: 'x' }, { headers }), 409, 'ai_idempotency_conflict');
  }),
  gatewayCase('lists the stores of the project and shows them to no other project', async (world) => {
    const ids = [await storeId(world)];
    world.time.advance(1_000);
    ids.unshift(await storeId(world));
    const key = await foreign(world);
    const listed = okJson(await world.send({ path: '/stores' })).at('data');
    assert.deepEqual(
      listed.list().map((store) => store.at('id').value),
      ids,
    );
    assert.equal(
      okJson(await world.send({ path: '/stores', key }))
        .at('data')
        .list().length,
      0,
    );
    const [id = ''] = ids;
    assertRefused(await world.send({ path: `/stores/${id}`, key }), 404, 'not_found');
    assertRefused(await deleteOne(world, 'stores', id, { key }), 404, 'not_found');
    assertRefused(await world.send({ path: `/documents/${id}` }), 404, 'not_found');
  }),
  gatewayCase(
    'counts documents from their creation until they are deleted [stores:record:document-count]',
    async (world) => {
      const store = await storeId(world);
      const [first, second] = await Promise.all([documentId(world, store, 'One.'), documentId(world, store, 'Two.')]);
      assert.equal(await count(world, store), 2);
      await workOnDocuments(world);
      assert.equal(await count(world, store), 2);
      await Promise.all([deleteOne(world, 'documents', first), deleteOne(world, 'documents', first)]);
      assert.equal(await count(world, store), 1);
      okJson(await deleteOne(world, 'documents', second));
      assert.equal(await count(world, store), 0);
    },
  ),
  gatewayCase(
    'keeps a store while one of its documents is being indexed, and lets its documents go with it [stores:delete:in-use] [resources:delete:in-use]',
    async (world) => {
      const store = await storeId(world);
      const { promise, resolve } = Promise.withResolvers<void>();
      world.provider.script({ kind: 'wait', until: promise, next: { kind: 'answer' } });
      const document = await documentId(world, store);
      assertRefused(await deleteOne(world, 'stores', store), 409, 'request_in_progress');
      const working = world.runJobs();
      await world.provider.received(1);
      assertRefused(await deleteOne(world, 'stores', store), 409, 'request_in_progress');
      assertRefused(await deleteOne(world, 'documents', document), 409, 'request_in_progress');
      resolve();
      await working;
      const deleted = okJson(await deleteOne(world, 'stores', store));
      assert.deepEqual([deleted.at('status').value, deleted.at('deleted').value], ['deleted', true]);
      await world.runJobs();
      await world.runJobs();
      assert.equal((await getOne(world, 'documents', document)).at('status').value, 'deleted');
      assertRefused(await deleteOne(world, 'stores', store), 404, 'not_found');
      const { file } = { file: (await getOne(world, 'documents', document)).at('file').text() };
      assertRefused(await createDocument(world, { store, file }), 404, 'not_found');
    },
  ),
  gatewayCase('keeps a store while an interaction uses it [stores:delete:in-use]', async (world) => {
    const store = await storeId(world);
    const { promise, resolve } = Promise.withResolvers<void>();
    world.provider.script({ kind: 'wait', until: promise, next: { kind: 'answer' } });
    const body = { input: 'Where do ships wait?', tools: [{ type: 'file_search', stores: [store] }] };
    const id = okJson(await world.send({ path: '/interactions', body }))
      .at('id')
      .text();
    assertRefused(await deleteOne(world, 'stores', store), 409, 'request_in_progress');
    const working = world.runJobs();
    await world.provider.received(1);
    assertRefused(await deleteOne(world, 'stores', store), 409, 'request_in_progress');
    resolve();
    await working;
    assert.equal((await world.record(id)).at('status').value, 'completed');
    okJson(await deleteOne(world, 'stores', store));
    assertRefused(await world.send({ path: '/interactions', body }), 404, 'not_found');
  }),
];
