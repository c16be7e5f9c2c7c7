import assert from 'node:assert/strict';
import { embeddingListSchema, routes } from '@tollgate/contract';
import { assertRefused, okJson, requestIdOf } from './answer.ts';
import { createEmbedder, embeddingRow, textEmbedding, vectorsOf } from './embedder.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { measured } from './measured.ts';
import { suiteRow } from './suite-tariff.ts';

const moneyCases: readonly GatewayCase[] = [
  gatewayCase('reports the credits that were debited [embeddings:response:credits]', async (world) => {
    const { embed } = await createEmbedder(world);
    const before = (await world.wallet.read(world.accountId)).balanceMicros;
    world.provider.script({ kind: 'answer', embeddings: { usage: measured(['embedding_tokens', 1_250]) } });
    const answer = await embed({ input: 'a' });
    assert.equal(okJson(answer).at('service', 'credits').value, 1.25);
    assert.equal(before - (await world.wallet.read(world.accountId)).balanceMicros, 1_250_000n);
    const record = await world.record(requestIdOf(answer));
    assert.equal(record.at('charged_credits').value, 1.25);
    assert.deepEqual(record.at('response').value, okJson(answer).value);
  }),
  gatewayCase('holds by the length of the texts until it is measured', async (world) => {
    const { embed } = await createEmbedder(world);
    const { promise: until, resolve } = Promise.withResolvers<void>();
    world.provider.script({ kind: 'wait', until, next: { kind: 'answer' } });
    const asked = embed({ input: ['x'.repeat(40_000), 'y'.repeat(40_000)] });
    await world.provider.received(1);
    const { reservedMicros } = await world.wallet.read(world.accountId);
    assert.ok(reservedMicros >= 20_000_000n, `${reservedMicros}`);
    resolve();
    okJson(await asked);
    assert.equal((await world.wallet.read(world.accountId)).reservedMicros, 0n);
  }),
  gatewayCase(
    'charges by input where the price list does, and keeps uncertain what has no price',
    async (world) => {
      const { embed } = await createEmbedder(world, 'by-input');
      world.provider.script({ kind: 'answer', embeddings: { usage: measured(['embedding_inputs', 3]) } });
      assert.equal(okJson(await embed({ input: ['a', 'b', 'c'] })).at('service', 'credits').value, 0.3);
      const unpriced = await embed({ input: 'a' });
      const id = assertRefused(unpriced, 502, 'request_failed').at('request_id').text();
      assert.equal((await world.record(id)).at('status').value, 'uncertain');
    },
    {
      catalog: [embeddingRow('by-input')],
      tariff: { version: 'suite-by-input', models: { '*': { perMillion: { embedding_inputs: '100000' } } } },
    },
  ),
  gatewayCase('gives a repeated request its first answer and charges once', async (world) => {
    const { embed } = await createEmbedder(world);
    const headers = { 'idempotency-key': 'vectors-1' };
    const first = await embed({ input: ['a', 'b'] }, { headers });
    const again = await embed({ input: ['a', 'b'] }, { headers });
    assert.deepEqual([again.text, again.headers.get('idempotency-replayed')], [first.text, 'true']);
    assert.equal(requestIdOf(again), requestIdOf(first));
    assert.equal(world.provider.embedCalls.length, 1);
    assertRefused(await embed({ input: 'other' }, { headers }), 409, 'ai_idempotency_conflict');
  }),
];

const otherRouteCase = gatewayCase(
  'refuses an identity that another route has used [idempotency:body:other-route]',
  async (world) => {
    const { key } = await world.createCaller({ projectId: world.projectId, model: null });
    const headers = { 'idempotency-key': 'one-for-both' };
    okJson(await world.chat(undefined, { key, headers }));
    const body = { model: textEmbedding, input: 'a' };
    const refused = await world.send({ path: '/embeddings', key, headers, body });
    assertRefused(refused, 409, 'ai_idempotency_conflict');
  },
);

/** What an embedding answers and costs. */
export const embeddingsAnswerCases: readonly GatewayCase[] = [
  gatewayCase(
    'answers one vector for each text, in order [embeddings:response:shape] [embeddings:response:vector-per-input]',
    async (world) => {
      const { embed, handed } = await createEmbedder(world);
      const vectors = [
        [0.5, -1],
        [1.5, -1],
        [2.5, -1],
      ];
      world.provider.script({ kind: 'answer', embeddings: { vectors } });
      const list = okJson(await embed({ input: ['a', 'b', 'c'] }));
      assert.ok(embeddingListSchema('service').safeParse(list.value).success);
      assert.deepEqual(list.keys(), ['object', 'model', 'data', 'service']);
      assert.deepEqual([list.at('object').value, list.at('model').value], ['list', textEmbedding]);
      assert.deepEqual(list.at('data').value, [
        { object: 'embedding', index: 0, embedding: [0.5, -1] },
        { object: 'embedding', index: 1, embedding: [1.5, -1] },
        { object: 'embedding', index: 2, embedding: [2.5, -1] },
      ]);
      assert.deepEqual(handed().input, { kind: 'texts', texts: ['a', 'b', 'c'] });
    },
  ),
  gatewayCase('encodes vectors as little-endian floats in base64 on demand', async (world) => {
    const { embed } = await createEmbedder(world);
    const answer = { kind: 'answer', embeddings: { vectors: [[0.5, -1]] } } as const;
    world.provider.script(answer, answer);
    const [text] = vectorsOf(okJson(await embed({ input: 'a', encoding_format: 'base64' })));
    const bytes = Buffer.from(String(text), 'base64');
    assert.deepEqual([bytes.length, bytes.readFloatLE(0), bytes.readFloatLE(4)], [8, 0.5, -1]);
    assert.deepEqual(vectorsOf(okJson(await embed({ input: 'a', encoding_format: 'float' }))), [[0.5, -1]]);
    assertRefused(await embed({ input: 'a', encoding_format: 'int8' }), 422, 'invalid_request');
  }),
  gatewayCase(
    'serves the embedding family and refuses the keys of others [embeddings:key:embedding-family] [catalog:family:embedding]',
    async (world) => {
      for (const model of ['embedding-001', 'embedding-2-preview', 'embedding-2']) {
        const { embed } = await createEmbedder(world, model);
        assert.equal(okJson(await embed({ input: 'a' })).at('model').value, model);
      }
      for (const model of ['flash-2.5', 'pro-3-image', 'video-3.1-generate-preview']) {
        const { embed } = await createEmbedder(world, model);
        assertRefused(await embed({ input: 'a' }), 422, 'model_incompatible');
      }
      const { key } = await createEmbedder(world);
      assertRefused(await world.chat(undefined, { key }), 422, 'model_incompatible');
    },
  ),
  gatewayCase('refuses input beyond the model and never cuts it [embeddings:response:no-truncation]', async (world) => {
    const { embed } = await createEmbedder(world);
    world.provider.script({ kind: 'not_executed', reason: 'input_limit' });
    assertRefused(await embed({ input: 'x'.repeat(100_000) }), 422, 'input_limit');
    assert.equal((await world.wallet.read(world.accountId)).reservedMicros, 0n);
  }),
  gatewayCase('keeps uncertain an answer that is not what was asked for', async (world) => {
    const { embed } = await createEmbedder(world);
    for (const vectors of [[], [[]], [[1], [2]], [[Number.NaN]]]) {
      world.provider.script({ kind: 'answer', embeddings: { vectors } });
      assertRefused(await embed({ input: 'a' }), 502, 'request_failed');
    }
  }),
  ...moneyCases,
  otherRouteCase,
  gatewayCase(
    'honours what a client library adds, in compatibility mode',
    async (world) => {
      const { embed, handed } = await createEmbedder(world);
      const list = okJson(await embed({ input: 'a', user: 'end-user-7' }));
      assert.equal(handed().endUser, 'end-user-7');
      assert.deepEqual([list.at('usage', 'prompt_tokens').value, list.at('usage', 'total_tokens').value], [3, 3]);
    },
    { compatibility: { openai: true } },
  ),
  gatewayCase('is available where the provider embeds', async (world) => {
    const row = okJson(await world.send({ path: `/models/${textEmbedding}` }));
    assert.deepEqual([row.at('available').value, row.at('unavailable_reason').value], [true, null]);
  }),
  gatewayCase(
    'refuses a model that is held back, before anything is registered',
    async (world) => {
      const { embed } = await createEmbedder(world, 'held-back');
      const error = assertRefused(await embed({ input: 'a' }), 503, 'service_unavailable');
      assert.equal(error.at('request_id').value, undefined);
    },
    { catalog: [suiteRow({ id: 'flash-2.5' }), embeddingRow('held-back')], enabledModels: ['flash-2.5'] },
  ),
  gatewayCase('neither stores nor searches vectors [embeddings:scope:no-vector-index]', async () => {
    for (const { path } of routes) assert.ok(!/vector|search|quer(?!y)|similar|index/i.test(path), path);
  }),
];
