import assert from 'node:assert/strict';
import { assertRefused, okJson, type Json } from './answer.ts';
import { copying, createdJson, deleteFile, fileKeptMs, upload, uploadedId } from './file-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { mediaSamples } from './media-samples.ts';
import { createDocument, deleteOne, documentId, getOne, storeId, textFileId, workOnDocuments } from './store-ask.ts';

const unknownId = '0190f3a0-0000-7000-8000-00000000000a';

const ships = 'Ships wait at anchor.';

/** What a chunk costs by the suite's price list: three tokens of the scripted provider. */
const chunkCredits = 0.003;

const statusOf = async (world: GatewayWorld, id: string): Promise<readonly unknown[]> => {
  const record = await getOne(world, 'documents', id);
  return [record.at('status').value, record.at('error_code').value];
};

const reservedMicros = async (world: GatewayWorld): Promise<bigint> =>
  (await world.wallet.read(world.accountId)).reservedMicros;

/** The steps of an interaction that asks the store; the scripted model looks for exactly that text. */
const askStore = async (world: GatewayWorld, store: string, query: string): Promise<Json> => {
  world.provider.script(
    {
      kind: 'answer',
      generation: {
        text: '',
        functionCalls: [
          { kind: 'function_call', id: 'call-1', name: 'file_search', arguments: JSON.stringify({ query }) },
        ],
      },
    },
    { kind: 'answer' },
    { kind: 'answer', generation: { text: 'At anchor.' } },
  );
  const body = { input: 'Where do ships wait?', tools: [{ type: 'file_search', stores: [store] }] };
  const id = okJson(await world.send({ path: '/interactions', body }))
    .at('id')
    .text();
  await world.runJobs();
  const record = okJson(await world.send({ path: `/interactions/${id}` }));
  assert.equal(record.at('status').value, 'completed', JSON.stringify(record.value));
  return record.at('result', 'steps');
};

const stepOf = (steps: Json, type: string): Json => {
  const step = steps.list().find((one) => one.at('type').value === type);
  assert.ok(step !== undefined, `no step ${type}: ${JSON.stringify(steps.value)}`);
  return step;
};

const bodyCases: readonly GatewayCase[] = [
  gatewayCase('takes the ids of a store and a file, and both [documents:body:fields]', async (world) => {
    const store = await storeId(world);
    const file = await textFileId(world, ships);
    assertRefused(await createDocument(world, { file }), 422, 'invalid_request');
    assertRefused(await createDocument(world, { store }), 422, 'invalid_request');
    assertRefused(await createDocument(world, { store: 'store', file }), 422, 'invalid_request');
    assertRefused(await createDocument(world, { store, file: `files/${file}` }), 422, 'invalid_request');
    assertRefused(await createDocument(world, { store, file, chunks: 2 }), 422, 'unsupported_parameter');
    okJson(await createDocument(world, { store, file }));
    assert.equal(
      okJson(await world.send({ path: '/documents' }))
        .at('data')
        .list().length,
      1,
    );
  }),
  gatewayCase(
    'knows no store that is unknown, deleted or of another project [documents:body:store-known]',
    async (world) => {
      const file = await textFileId(world, ships);
      const store = await storeId(world);
      const { key } = await world.createCaller({ projectId: await world.createProject(world.accountId), model: null });
      assertRefused(await createDocument(world, { store: unknownId, file }), 404, 'not_found');
      assertRefused(await createDocument(world, { store: file, file }), 404, 'not_found');
      const own = await textFileId(world, ships, { key });
      assertRefused(await createDocument(world, { store, file: own }, { key }), 404, 'not_found');
      okJson(await deleteOne(world, 'stores', store));
      assertRefused(await createDocument(world, { store, file }), 404, 'not_found');
      assert.equal(
        okJson(await world.send({ path: '/documents' }))
          .at('data')
          .list().length,
        0,
      );
    },
  ),
  gatewayCase(
    'indexes only a file that is active [documents:body:file-active]',
    async (world) => {
      const store = await storeId(world);
      const open = async (file: string) => createDocument(world, { store, file });
      world.provider.scriptFiles({ kind: 'answer', fileState: 'processing' });
      assertRefused(await open(await uploadedId(world)), 409, 'request_in_progress');
      world.provider.scriptFiles({ kind: 'not_executed', reason: 'input_limit' });
      assertRefused(await open(await uploadedId(world)), 422, 'unsupported_content');
      assertRefused(await open(unknownId), 404, 'not_found');
      const { key } = await world.createCaller({ projectId: await world.createProject(world.accountId), model: null });
      assertRefused(await open(await textFileId(world, ships, { key })), 404, 'not_found');
      const deleted = await textFileId(world, ships);
      await deleteFile(world, deleted);
      assertRefused(await open(deleted), 404, 'not_found');
      const expired = await textFileId(world, ships);
      world.time.advance(fileKeptMs);
      assertRefused(await open(expired), 404, 'not_found');
      assert.equal((await getOne(world, 'stores', store)).at('document_count').value, 0);
    },
    copying,
  ),
  gatewayCase('refuses files without a text to read', async (world) => {
    const image = { display_name: 'p.png', mime_type: 'image/png', data: mediaSamples.png };
    const file = createdJson(await upload(world, image))
      .at('id')
      .text();
    assertRefused(await createDocument(world, { store: await storeId(world), file }), 422, 'unsupported_content');
  }),
  gatewayCase('keeps a file while it is being indexed [files:delete:in-use]', async (world) => {
    const store = await storeId(world);
    const file = await textFileId(world, ships);
    okJson(await createDocument(world, { store, file }));
    assertRefused(await deleteFile(world, file), 409, 'request_in_progress');
    await workOnDocuments(world);
    okJson(await deleteFile(world, file));
  }),
];

const lifeCases: readonly GatewayCase[] = [
  gatewayCase(
    'reserves, indexes and settles what was embedded [documents:record:fields] [ledger:charged:indexing]',
    async (world) => {
      const store = await storeId(world);
      const file = await textFileId(world, ships);
      const created = okJson(await createDocument(world, { store, file }));
      const id = created.at('id').text();
      assert.deepEqual(
        ['object', 'request_id', 'status', 'display_name', 'store', 'file', 'charged_credits', 'result'].map(
          (name) => created.at(name).value,
        ),
        ['document', id, 'reserved', 'notes.txt', store, file, 0, null],
      );
      assert.ok(created.at('reserved_credits').number() >= chunkCredits);
      assert.ok(!JSON.stringify(created.value).includes(ships));
      await workOnDocuments(world);
      const done = await getOne(world, 'documents', id);
      assert.deepEqual(
        [done.at('status').value, done.at('charged_credits').value, done.at('reserved_credits').value],
        ['completed', chunkCredits, 0],
      );
      assert.deepEqual(done.at('result').value, {
        chunk_count: 1,
        service: { request_id: id, project_id: world.projectId, credits: chunkCredits },
      });
      assert.deepEqual((await world.record(id)).at('response').value, done.value);
      const operation = await world.admin.readOperation(id);
      assert.deepEqual(operation?.usage, [{ unit: 'indexing_tokens', quantity: 3 }]);
      const { call } = world.provider.embedCalls[0] ?? {};
      assert.deepEqual([call?.input, call?.task], [{ kind: 'texts', texts: [ships] }, 'RETRIEVAL_DOCUMENT']);
    },
  ),
  gatewayCase('recovers a document by its identity and indexes it once [idempotency:async:recover]', async (world) => {
    const store = await storeId(world);
    const file = await textFileId(world, ships);
    const headers = { 'idempotency-key': 'once' };
    const id = okJson(await createDocument(world, { store, file }, { headers }))
      .at('id')
      .text();
    await workOnDocuments(world);
    okJson(await deleteFile(world, file));
    const again = okJson(await createDocument(world, { store, file }, { headers }));
    assert.deepEqual([again.at('id').value, again.at('status').value], [id, 'completed']);
    assert.equal(world.provider.embedCalls.length, 1);
    assert.equal((await getOne(world, 'stores', store)).at('document_count').value, 1);
  }),
  gatewayCase('fails without a debit what cannot be read', async (world) => {
    const store = await storeId(world);
    const id = await documentId(world, store, ['', '']);
    await workOnDocuments(world);
    assert.deepEqual(await statusOf(world, id), ['failed', 'unsupported_content']);
    assert.equal(await reservedMicros(world), 0n);
    assert.equal(world.provider.embedCalls.length, 0);
    okJson(await deleteOne(world, 'documents', id));
  }),
  gatewayCase('tries again while the provider is busy, and does not embed twice', async (world) => {
    const store = await storeId(world);
    world.provider.script({ kind: 'not_executed', reason: 'rate_limited', retryAfterMs: 1_000 });
    const id = await documentId(world, store);
    await world.runJobs();
    assert.deepEqual(await statusOf(world, id), ['processing', null]);
    world.time.advance(1_000);
    await world.runJobs();
    assert.deepEqual(await statusOf(world, id), ['completed', null]);
  }),
  gatewayCase('is uncertain and keeps its hold where it is unknown what was embedded', async (world) => {
    const store = await storeId(world);
    world.provider.script({ kind: 'unknown' });
    const id = await documentId(world, store);
    await workOnDocuments(world, 2);
    assert.deepEqual(await statusOf(world, id), ['uncertain', 'settlement_pending']);
    assert.equal(world.provider.embedCalls.length, 1);
    assert.ok((await reservedMicros(world)) > 0n);
    assertRefused(await deleteOne(world, 'documents', id), 409, 'request_in_progress');
    await world.admin.resolveOperation(id, { executed: false });
    assert.equal(await reservedMicros(world), 0n);
    assert.equal((await statusOf(world, id))[0], 'failed');
  }),
];

const searchCases: readonly GatewayCase[] = [
  gatewayCase(
    'finds a document once it is completed, with the file and the page that it stands on [documents:index:search-after-completion]',
    async (world) => {
      const store = await storeId(world);
      const pages = ['The harbour opens at six.', ships, 'Nothing else is known.'];
      const document = await documentId(world, store, pages);
      await workOnDocuments(world);
      const file = (await getOne(world, 'documents', document)).at('file').text();
      const steps = await askStore(world, store, ships);
      const [found] = stepOf(steps, 'file_search_result').at('result').list();
      assert.deepEqual(
        ['document_id', 'store_id', 'file_id', 'file_name', 'page_number', 'start_index', 'end_index', 'text'].map(
          (name) => found?.at(name).value,
        ),
        [document, store, file, 'handbook.pdf', 2, 0, ships.length, ships],
      );
      assert.deepEqual(stepOf(steps, 'file_search_call').at('arguments').value, { query: ships });
      const [citation] = stepOf(steps, 'model_output').at('content', 0, 'annotations').list();
      assert.deepEqual(citation?.value, {
        type: 'file_citation',
        document_id: document,
        file_id: file,
        file_name: 'handbook.pdf',
        page_number: 2,
        start_index: 0,
        end_index: ships.length,
      });
      const told = JSON.stringify(world.provider.calls.at(-1)?.call.contents);
      assert.ok(told.includes('handbook.pdf, page 2') && told.includes(ships), told);
    },
  ),
  gatewayCase(
    'does not find what is being indexed, failed, was deleted, or lies in another store [documents:index:search-after-completion]',
    async (world) => {
      const [store, other] = [await storeId(world), await storeId(world)];
      const gone = await documentId(world, store, ships);
      await documentId(world, other, ships);
      world.provider.script({ kind: 'answer' }, { kind: 'answer' });
      await workOnDocuments(world);
      await documentId(world, store, 'Bread rises overnight.');
      await workOnDocuments(world);
      okJson(await deleteOne(world, 'documents', gone));
      const steps = await askStore(world, store, ships);
      const found = stepOf(steps, 'file_search_result').at('result').list();
      assert.deepEqual(
        found.map((one) => one.at('text').value),
        ['Bread rises overnight.'],
      );
    },
  ),
  gatewayCase('meters a search by its query and the tokens of it [interactions:tools:file-search]', async (world) => {
    const store = await storeId(world);
    await documentId(world, store);
    await workOnDocuments(world);
    await askStore(world, store, ships);
    const [interaction] = okJson(await world.send({ path: '/interactions' }))
      .at('data')
      .list();
    const operation = await world.admin.readOperation(interaction?.at('id').text() ?? '');
    const usage = new Map((operation?.usage ?? []).map(({ unit, quantity }) => [unit, quantity]));
    assert.deepEqual([usage.get('retrieval_queries'), usage.get('embedding_tokens')], [1, 3]);
    const call = world.provider.embedCalls.at(-1)?.call;
    assert.deepEqual([call?.input, call?.task], [{ kind: 'texts', texts: [ships] }, 'RETRIEVAL_QUERY']);
    assert.equal(call?.dimensions, world.provider.embedCalls[0]?.call.dimensions);
  }),
  gatewayCase('takes at least one store of the project [interactions:tools:file-search]', async (world) => {
    const ask = (stores: readonly string[], more = {}) =>
      world.send({
        ...more,
        path: '/interactions',
        body: { input: 'Where do ships wait?', tools: [{ type: 'file_search', stores }] },
      });
    const { key } = await world.createCaller({ projectId: await world.createProject(world.accountId), model: null });
    const store = await storeId(world);
    assertRefused(await ask([]), 422, 'invalid_request');
    assertRefused(await ask([unknownId]), 404, 'not_found');
    assertRefused(await ask([store], { key }), 404, 'not_found');
    okJson(await ask([store]));
  }),
  gatewayCase(
    'refuses to search where searches have no price, before anything is registered',
    async (world) => {
      const tools = [{ type: 'file_search', stores: [await storeId(world)] }];
      const refused = await world.send({ path: '/interactions', body: { input: 'Where?', tools } });
      assertRefused(refused, 503, 'access_or_service_unavailable');
      assert.equal(
        okJson(await world.send({ path: '/interactions' }))
          .at('data')
          .list().length,
        0,
      );
    },
    {
      tariff: { version: 'bare', models: { '*': { perMillion: { input_text_tokens: '1', output_text_tokens: '1' } } } },
    },
  ),
];

export const documentsCases: readonly GatewayCase[] = [...bodyCases, ...lifeCases, ...searchCases];
