import assert from 'node:assert/strict';
import { assertRefused, jsonOf, okJson, requestIdOf, type Answer, type Json } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { Ask, GatewayWorld } from './gateway-world.ts';
import { textFileId, workOnDocuments } from './store-ask.ts';
import { suiteModel } from './suite-tariff.ts';

const settings = { compatibility: { openai: true } } as const;

const ships = 'Ships wait at anchor.';

/** A question of three tokens, and the search itself. */
const searchMicros = 1_003_000n;

const ask = (world: GatewayWorld, path: string, more: Partial<Ask> = {}): Promise<Answer> =>
  world.send({ ...more, path: `/vector_stores${path}` });

const balanceMicros = async (world: GatewayWorld): Promise<bigint> =>
  (await world.wallet.read(world.accountId)).balanceMicros;

const createdId = async (world: GatewayWorld, body: object = {}): Promise<string> =>
  okJson(await ask(world, '', { body }))
    .at('id')
    .text();

const countsOf = (record: Json): readonly unknown[] =>
  ['in_progress', 'completed', 'failed', 'total'].map((name) => record.at('file_counts', name).value);

/** A vector store with one file that is indexed. */
const indexedStore = async (world: GatewayWorld): Promise<{ readonly store: string; readonly file: string }> => {
  const file = await textFileId(world, ships);
  const store = await createdId(world, { name: 'Harbour', metadata: { town: 'Faro' }, file_ids: [file] });
  await workOnDocuments(world);
  return { store, file };
};

const refusals: readonly (readonly [path: string, body: object, field: string])[] = [
  ['', { expires_after: { anchor: 'last_active_at', days: 1 } }, 'expires_after'],
  ['', { chunking_strategy: { type: 'static' } }, 'chunking_strategy'],
  ['', { metadata: { a: 1 } }, 'metadata'],
  ['/files', {}, 'file_id'],
  ['/file_batches', {}, 'file_ids'],
  ['/search', {}, 'query'],
  ['/search', { query: ' ' }, 'query'],
  ['/search', { query: ['a', 'b'] }, 'query'],
  ['/search', { query: 'a', rewrite_query: true }, 'rewrite_query'],
  ['/search', { query: 'a', filters: { type: 'eq', key: 'a', value: 1 } }, 'filters'],
];

/** Stores in the form of vector stores. */
export const vectorStoresCases: readonly GatewayCase[] = [
  gatewayCase(
    'vector stores: are stores of the project, with the files that they were created with',
    async (world) => {
      const { store, file } = await indexedStore(world);
      const record = okJson(await ask(world, `/${store}`));
      assert.deepEqual(
        ['object', 'name', 'status'].map((name) => record.at(name).value),
        ['vector_store', 'Harbour', 'completed'],
      );
      assert.deepEqual([record.at('metadata').value, countsOf(record)], [{ town: 'Faro' }, [0, 1, 0, 1]]);
      assert.deepEqual(okJson(await ask(world, '?limit=1')).at('data', 0).value, record.value);
      const listed = okJson(await ask(world, `/${store}/files`)).at('data', 0);
      assert.deepEqual(
        [listed.at('id').value, listed.at('status').value, listed.at('usage_bytes').value],
        [file, 'completed', ships.length],
      );
      const contract = okJson(await world.send({ path: `/stores/${store}` }));
      assert.deepEqual(
        [contract.at('display_name').value, contract.at('document_count').value, contract.at('wire').value],
        ['Harbour', 1, undefined],
      );
      const { key } = await world.createCaller({
        projectId: await world.createProject(world.accountId),
        model: suiteModel,
      });
      for (const path of [`/${store}`, `/${store}/files`, `/${store}/files/${file}`])
        assertRefused(await ask(world, path, { key }), 404, 'not_found');
      assertRefused(await ask(world, `/${store}/search`, { key, body: { query: 'a' } }), 404, 'not_found');
      okJson(await ask(world, `/${store}/files/${file}`, { method: 'DELETE' }));
      assertRefused(await ask(world, `/${store}/files/${file}`), 404, 'not_found');
      okJson(await ask(world, `/${store}`, { method: 'DELETE' }));
      assertRefused(await ask(world, `/${store}`), 404, 'not_found');
    },
    settings,
  ),
  gatewayCase(
    'vector stores: a search is an operation, charged once, and its record and replay are the same',
    async (world) => {
      const { store, file } = await indexedStore(world);
      const before = await balanceMicros(world);
      const headers = { 'idempotency-key': 'search' };
      const search = () => ask(world, `/${store}/search`, { body: { query: ships }, headers });
      const answer = await search();
      const body = okJson(answer);
      const [found] = body.at('data').list();
      assert.deepEqual([found?.at('file_id').value, found?.at('content', 0, 'text').value], [file, ships]);
      assert.equal(body.at('service', 'credits').value, Number(searchMicros) / 1_000_000);
      assert.equal(await balanceMicros(world), before - searchMicros);
      assert.deepEqual((await world.record(requestIdOf(answer))).at('response').value, body.value);
      okJson(await ask(world, `/${store}`, { method: 'DELETE' }));
      const again = await search();
      assert.deepEqual([again.text, again.headers.get('idempotency-replayed')], [answer.text, 'true']);
      assertRefused(await ask(world, `/${store}/search`, { body: { query: ships } }), 404, 'not_found');
      assert.equal(await balanceMicros(world), before - searchMicros);
    },
    settings,
  ),
  gatewayCase(
    'vector stores: a search that did not run costs nothing, and one of an empty store neither',
    async (world) => {
      const { store } = await indexedStore(world);
      const before = await balanceMicros(world);
      const empty = await createdId(world);
      assert.deepEqual(okJson(await ask(world, `/${empty}/search`, { body: { query: 'a' } })).at('data').value, []);
      world.provider.script({ kind: 'not_executed', reason: 'unavailable' });
      assertRefused(await ask(world, `/${store}/search`, { body: { query: 'a' } }), 503, 'service_unavailable');
      assert.equal(await balanceMicros(world), before);
      world.provider.script({ kind: 'unknown' });
      assertRefused(await ask(world, `/${store}/search`, { body: { query: 'a' } }), 502, 'request_failed');
      assert.ok((await world.wallet.read(world.accountId)).reservedMicros >= searchMicros - 3_000n);
    },
    settings,
  ),
  gatewayCase(
    'vector stores: files added as a batch are found by it, once under one identity',
    async (world) => {
      const store = await createdId(world);
      const ids = [await textFileId(world, ships), await textFileId(world, 'A second text.')];
      const files = ids.map((file_id, place) => ({ file_id, attributes: { place } }));
      const headers = { 'idempotency-key': 'batch' };
      const add = () => ask(world, `/${store}/file_batches`, { body: { files }, headers });
      const batch = okJson(await add());
      assert.deepEqual(countsOf(batch), [2, 0, 0, 2]);
      await workOnDocuments(world);
      const id = batch.at('id').text();
      assert.equal(okJson(await add()).at('id').value, id);
      const done = okJson(await ask(world, `/${store}/file_batches/${id}`));
      assert.deepEqual([done.at('status').value, countsOf(done)], ['completed', [0, 2, 0, 2]]);
      const listed = okJson(await ask(world, `/${store}/file_batches/${id}/files?order=asc`))
        .at('data')
        .list();
      assert.deepEqual(new Set(listed.map((each) => each.at('attributes', 'place').value)), new Set([0, 1]));
      assert.deepEqual(countsOf(okJson(await ask(world, `/${store}`))), [0, 2, 0, 2]);
      assertRefused(await ask(world, `/${store}/file_batches/vsfb_other`), 404, 'not_found');
    },
    settings,
  ),
  gatewayCase(
    'vector stores: refuse what they do not carry, and name it',
    async (world) => {
      const store = await createdId(world);
      for (const [path, body, field] of refusals) {
        const answer = await ask(world, path === '' ? '' : `/${store}${path}`, { body });
        assert.equal(answer.status, 422, answer.text);
        const message = jsonOf(JSON.parse(answer.text)).at('error', 'message').text();
        assert.ok(message.includes(field), `${field}: ${message}`);
      }
      assertRefused(await ask(world, `/${store}`, { body: { name: 'Other' } }), 422, 'unsupported_parameter');
      const unknown = '0190f3a0-0000-7000-8000-00000000000a';
      assertRefused(await ask(world, '', { body: { file_ids: [unknown] } }), 404, 'not_found');
      assert.equal(
        okJson(await ask(world, ''))
          .at('data')
          .list().length,
        1,
      );
      assert.equal(world.provider.embedCalls.length, 0);
    },
    settings,
  ),
];
