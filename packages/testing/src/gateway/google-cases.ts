import assert from 'node:assert/strict';
import { defaultCatalog } from '@tollgate/contract';
import { assertRefused, jsonOf, okJson, requestIdOf } from './answer.ts';
import { mediaEmbedding, textEmbedding } from './embedder.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { greeting } from './gateway-world.ts';
import { askGoogle as ask, assertTold, google, keyOf } from './google-ask.ts';
import { googleBatchCases } from './google-batch-cases.ts';
import { googleCacheCases } from './google-cache-cases.ts';
import { googleFileSearchCases } from './google-file-search-cases.ts';
import { googleInteractionCases } from './google-interaction-cases.ts';
import { googleVideoCases } from './google-video-cases.ts';
import { googleTokenCases } from './google-token-cases.ts';
import { mediaSamples } from './media-samples.ts';
import { suiteModel } from './suite-tariff.ts';

const addressCases: readonly GatewayCase[] = [
  gatewayCase(
    'answers below both versions of the path, below the prefix and at the root',
    async (world) => {
      for (const path of ['/v1', '/v1beta', '/../../../v1', '/../../../v1beta', '']) {
        const headers = { 'x-goog-api-key': world.key };
        const list = okJson(await world.send({ key: null, path: `${path}/models`, headers }));
        assert.ok(list.at('models').list().length > 0, path);
      }
    },
    google,
  ),
  gatewayCase(
    'takes the key as a header of these clients, or as a Bearer credential, and never from the address',
    async (world) => {
      okJson(await ask(world, '/models'));
      okJson(await world.send({ path: '/v1beta/models' }));
      okJson(await world.send({ path: '/v1beta/models', headers: { 'x-goog-api-key': 'a placeholder' } }));
      for (const path of [`/v1beta/models?key=${world.key}`, '/v1beta/models'])
        assertTold(await world.send({ key: null, path }), 401, 'UNAUTHENTICATED', 'invalid_api_key');
      assertTold(await ask(world, '/models', { credential: 'wrong' }), 401, 'UNAUTHENTICATED', 'invalid_api_key');
    },
    google,
  ),
  gatewayCase(
    'tolerates any query',
    async (world) => {
      okJson(await ask(world, '/models?alt=json&prettyPrint=true&$fields=x'));
      okJson(await ask(world, `/models/${suiteModel}?alt=json`));
    },
    google,
  ),
  gatewayCase(
    'answers everybody else as ever',
    async (world) => {
      assert.equal(okJson(await world.send({ path: '/models' })).at('object').value, 'list');
      okJson(await world.chat());
      assertRefused(await world.chat({ ...greeting, surprise: 1 }), 422, 'unsupported_parameter');
    },
    google,
  ),
  gatewayCase('knows neither the paths nor the key of these clients by default', async (world) => {
    const headers = { 'x-goog-api-key': world.key };
    assertRefused(await world.send({ key: null, path: '/v1beta/models', headers }), 404, 'not_found');
    assert.equal((await world.send({ key: null, path: '/models', headers })).status, 401);
    assert.equal(okJson(await world.send({ path: '/models', headers })).at('object').value, 'list');
    const path = `/models/${textEmbedding}:embedContent`;
    assertRefused(await world.send({ path, body: {} }), 405, 'method_not_allowed');
  }),
];

const modelCases: readonly GatewayCase[] = [
  gatewayCase(
    'lists the models that can be called in the form of these clients, page by page',
    async (world) => {
      const all = okJson(await ask(world, '/models?pageSize=1000'))
        .at('models')
        .list();
      const names = all.map((row) => row.at('name').text());
      assert.ok(names.includes(`models/${suiteModel}`) && names.includes(`models/${textEmbedding}`));
      assert.ok(names.length <= defaultCatalog.length);
      for (const row of all) {
        assert.ok(row.at('supportedGenerationMethods').list().length > 0, row.at('name').text());
        assert.ok(row.at('inputTokenLimit').number() > 0);
      }
      const first = okJson(await ask(world, '/models?pageSize=2'));
      const token = first.at('nextPageToken').text();
      const second = okJson(await ask(world, `/models?pageSize=2&pageToken=${token}`));
      const paged = [first, second].flatMap((page) => page.at('models').list());
      assert.deepEqual(
        paged.map((row) => row.at('name').value),
        names.slice(0, 4),
      );
      assertTold(await ask(world, '/models?pageToken=x'), 422, 'INVALID_ARGUMENT', 'invalid_request');
    },
    google,
  ),
  gatewayCase(
    'reads one model in the form of these clients',
    async (world) => {
      const row = okJson(await ask(world, `/models/${textEmbedding}`));
      assert.equal(row.at('name').value, `models/${textEmbedding}`);
      assert.deepEqual(row.at('supportedGenerationMethods').value, ['embedContent', 'batchEmbedContents']);
      const automatic = okJson(await ask(world, '/models/service-auto'));
      assert.equal(automatic.at('name').value, 'models/service-auto');
      assert.ok(automatic.at('supportedGenerationMethods').list().length > 0);
      assertTold(await ask(world, '/models/nope'), 404, 'NOT_FOUND', 'not_found');
      assertTold(await ask(world, '/models/%E0%A4%A'), 404, 'NOT_FOUND', 'not_found');
    },
    google,
  ),
];

const embedCases: readonly GatewayCase[] = [
  gatewayCase(
    'embeds one content and a batch in the form of these clients, as the same operation as ever',
    async (world) => {
      const credential = await keyOf(world, textEmbedding);
      const body = { content: { parts: [{ text: 'hello' }] }, taskType: 'CLUSTERING', outputDimensionality: 128 };
      const one = await ask(world, `/models/${textEmbedding}:embedContent`, { credential, body });
      assert.equal(okJson(one).at('embedding', 'values').list().length, 128);
      assert.deepEqual(world.provider.embedCalls.at(-1)?.call.input, { kind: 'texts', texts: ['hello'] });
      assert.equal(world.provider.embedCalls.at(-1)?.call.task, 'CLUSTERING');
      assert.equal(okJson(one).at('service', 'credits').value, 0.003);
      const record = await world.record(requestIdOf(one));
      assert.deepEqual([record.at('status').value, record.at('charged_credits').value], ['completed', 0.003]);
      assert.equal(record.at('response', 'object').value, 'list');
      const requests = ['a', 'b', 'c'].map((text) => ({
        model: `models/${textEmbedding}`,
        content: { parts: [{ text }] },
      }));
      const batch = await ask(world, `/models/${textEmbedding}:batchEmbedContents`, { credential, body: { requests } });
      assert.equal(okJson(batch).at('embeddings').list().length, 3);
      assert.deepEqual(world.provider.embedCalls.at(-1)?.call.input, { kind: 'texts', texts: ['a', 'b', 'c'] });
    },
    google,
  ),
  gatewayCase(
    'embeds texts and media of one content together',
    async (world) => {
      const credential = await keyOf(world, mediaEmbedding);
      const parts = [{ text: 'A dot.' }, { inlineData: { mimeType: 'image/png', data: mediaSamples.png } }];
      const body = { content: { role: 'user', parts } };
      okJson(await ask(world, `/models/${mediaEmbedding}:embedContent`, { credential, body }));
      assert.deepEqual(world.provider.embedCalls.at(-1)?.call.input, {
        kind: 'content',
        parts: [
          { kind: 'text', text: 'A dot.' },
          { kind: 'media', mimeType: 'image/png', data: mediaSamples.png },
        ],
      });
    },
    google,
  ),
  gatewayCase(
    'gives a repeated call its first answer',
    async (world) => {
      const credential = await keyOf(world, textEmbedding);
      const headers = { 'idempotency-key': 'once' };
      const body = { content: { parts: [{ text: 'hello' }] } };
      const path = `/models/${textEmbedding}:embedContent`;
      const first = await ask(world, path, { credential, headers, body });
      const again = await ask(world, path, { credential, headers, body });
      assert.deepEqual([again.text, again.headers.get('idempotency-replayed')], [first.text, 'true']);
      assert.equal(world.provider.embedCalls.length, 1);
      const other = await world.send({ key: credential, path: '/embeddings', headers, body: { input: 'hello' } });
      assertRefused(other, 409, 'ai_idempotency_conflict');
    },
    google,
  ),
  gatewayCase(
    'tells what goes wrong in the form of these clients',
    async (world) => {
      const credential = await keyOf(world, textEmbedding);
      const embed = (body: unknown, model = textEmbedding) =>
        ask(world, `/models/${model}:embedContent`, { credential, body });
      const content = { parts: [{ text: 'hello' }] };
      assertTold(await embed('{'), 400, 'INVALID_ARGUMENT', 'invalid_json');
      assertTold(await embed({ content, surprise: 1 }), 422, 'INVALID_ARGUMENT', 'unsupported_parameter');
      assertTold(await embed({ content }, mediaEmbedding), 422, 'INVALID_ARGUMENT', 'model_key_mismatch');
      assertTold(await ask(world, '/nowhere'), 404, 'NOT_FOUND', 'not_found');
      assertTold(await ask(world, '/models', { method: 'DELETE' }), 405, 'UNIMPLEMENTED', 'method_not_allowed');
      world.provider.script({ kind: 'not_executed', reason: 'failed' });
      const failed = await embed({ content });
      assertTold(failed, 502, 'INTERNAL', 'request_failed');
      const told = jsonOf(JSON.parse(failed.text)).at('error', 'details', 0, 'request_id').value;
      assert.equal(told, requestIdOf(failed));
      assert.equal(failed.headers.get('x-should-retry'), 'false');
    },
    google,
  ),
];

const countCases: readonly GatewayCase[] = [
  gatewayCase(
    'counts the tokens of a prompt without an operation and without a charge',
    async (world) => {
      const before = await world.wallet.read(world.accountId);
      const contents = [{ role: 'user', parts: [{ text: 'x'.repeat(4_000) }] }];
      const count = async (body: unknown): Promise<number> =>
        okJson(await ask(world, `/models/${suiteModel}:countTokens`, { body }))
          .at('totalTokens')
          .number();
      const tokens = await count({ contents });
      assert.ok(tokens > 0);
      const whole = { model: `models/${suiteModel}`, contents };
      assert.equal(await count({ generateContentRequest: whole }), tokens);
      assert.deepEqual(await world.wallet.read(world.accountId), before);
      assert.deepEqual(await world.admin.listOperations({ kind: 'project', projectId: world.projectId }), []);
      assert.equal(world.provider.calls.length, 0);
    },
    google,
  ),
  gatewayCase(
    'refuses to count what it would refuse to generate',
    async (world) => {
      const count = (body: unknown, model = suiteModel) => ask(world, `/models/${model}:countTokens`, { body });
      const contents = [{ role: 'user', parts: [{ text: 'hello' }] }];
      assertTold(await count({ contents: [] }), 422, 'INVALID_ARGUMENT', 'invalid_request');
      assertTold(await count({ contents, surprise: 1 }), 422, 'INVALID_ARGUMENT', 'unsupported_parameter');
      assertTold(await count({ contents }, 'pro-2.5'), 422, 'INVALID_ARGUMENT', 'model_key_mismatch');
      const inner = { generateContentRequest: { model: 'models/pro-2.5', contents } };
      assertTold(await count(inner), 422, 'INVALID_ARGUMENT', 'model_key_mismatch');
      assertTold(await count({ contents, generateContentRequest: {} }), 422, 'INVALID_ARGUMENT', 'invalid_request');
      const credential = await keyOf(world, textEmbedding);
      const path = `/models/${textEmbedding}:countTokens`;
      assertTold(
        await ask(world, path, { credential, body: { contents } }),
        422,
        'INVALID_ARGUMENT',
        'model_incompatible',
      );
    },
    google,
  ),
];

/** The dialect of Google clients, where a host turns it on. */
export const googleCases: readonly GatewayCase[] = [
  ...addressCases,
  ...modelCases,
  ...embedCases,
  ...countCases,
  ...googleCacheCases,
  ...googleFileSearchCases,
  ...googleInteractionCases,
  ...googleBatchCases,
  ...googleVideoCases,
  ...googleTokenCases,
];
