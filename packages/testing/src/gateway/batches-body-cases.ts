import assert from 'node:assert/strict';
import { assertRefused, okJson } from './answer.ts';
import { batchClient, batchOf, batchSettings, entry } from './batch-ask.ts';
import { createEmbedder, mediaEmbedding } from './embedder.ts';
import { uploadedId } from './file-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { helloBody, ofTurn } from './generate-ask.ts';
import { mediaSamples } from './media-samples.ts';

const keysOf = (count: number): readonly string[] => Array.from({ length: count }, (_, place) => `k${place}`);

/** Asserts that each body is refused with 422 and the code, and that nothing of it is registered or reserved. */
const assertBatchesRefused = async (world: GatewayWorld, code: string, bodies: readonly unknown[]): Promise<void> => {
  const client = batchClient(world);
  for (const body of bodies) {
    const error = assertRefused(await client.create(body), 422, code);
    assert.equal(error.at('request_id').value, undefined);
  }
  const list = okJson(await world.send({ path: '/batches' }));
  assert.deepEqual(list.at('data').value, []);
  assert.equal((await world.wallet.read(world.accountId)).reservedMicros, 0n);
};

const png = (bytes: number): string => {
  const small = Buffer.from(mediaSamples.png, 'base64');
  const padded = Buffer.concat([small.subarray(0, -12), Buffer.alloc(bytes, 7), small.subarray(-12)]);
  return padded.toString('base64');
};

/** A batch of a good request and this one. */
const wrong = (request: unknown) => ({ requests: [entry('fine'), entry('a', request)] });

/** POST /batches: what it takes. */
export const batchesBodyCases: readonly GatewayCase[] = [
  gatewayCase(
    'takes a name and requests with keys [batches:body:fields] [batches:item:generate-shape]',
    async (world) => {
      const client = batchClient(world);
      const record = okJson(await client.create({ display_name: 'Night run', ...batchOf('a') }));
      assert.equal(record.at('display_name').value, 'Night run');
      assert.equal(okJson(await client.create(batchOf('a'))).at('display_name').value, null);
    },
    batchSettings,
  ),
  gatewayCase(
    'refuses entries without a key or a request [batches:body:fields]',
    async (world) => {
      await assertBatchesRefused(world, 'invalid_request', [
        {},
        { requests: {} },
        { requests: [{ key: 'a' }] },
        { requests: [{ request: helloBody }] },
        { requests: [entry('a', 'text')] },
        { display_name: 7, ...batchOf('a') },
      ]);
      await assertBatchesRefused(world, 'unsupported_parameter', [
        { ...batchOf('a'), priority: 'high' },
        { requests: [{ ...entry('a'), metadata: {} }] },
      ]);
    },
    batchSettings,
  ),
  gatewayCase(
    'takes up to 100 requests [batches:body:max-100] [batches:body:not-empty]',
    async (world) => {
      await assertBatchesRefused(world, 'invalid_request', [batchOf(), batchOf(...keysOf(101))]);
      const record = okJson(await batchClient(world).create(batchOf(...keysOf(100))));
      assert.equal(record.at('request_count').value, 100);
    },
    batchSettings,
  ),
  gatewayCase(
    'takes keys that are unique and not longer than 128 characters [batches:item:key-rules]',
    async (world) => {
      await assertBatchesRefused(world, 'invalid_request', [batchOf(''), batchOf('a', 'a'), batchOf('k'.repeat(129))]);
      okJson(await batchClient(world).create(batchOf('k'.repeat(128), 'K')));
    },
    batchSettings,
  ),
  gatewayCase(
    'takes requests as generateContent does, without a model [batches:item:generate-shape]',
    async (world) => {
      await assertBatchesRefused(world, 'unsupported_parameter', [
        wrong({ ...helloBody, model: 'flash-2.5' }),
        wrong({ messages: [{ role: 'user', content: 'Hello' }] }),
        wrong({ input: 'Hello' }),
      ]);
      await assertBatchesRefused(world, 'unsupported_content', [wrong(ofTurn({ videoData: {} }))]);
      await assertBatchesRefused(world, 'empty_message', [wrong(ofTurn({ text: '' }))]);
      const error = assertRefused(await batchClient(world).create(wrong({ contents: [] })), 422, 'invalid_request');
      assert.match(error.at('message').text(), /requests\[1\]/);
    },
    batchSettings,
  ),
  gatewayCase(
    'takes embeddings with a key of an embedding model [batches:item:embedding-shape]',
    async (world) => {
      const { key } = await createEmbedder(world, mediaEmbedding);
      const client = batchClient(world, key);
      const id = await client.created({
        requests: [
          entry('texts', { input: ['one', 'two'], dimensions: 128, task_type: 'RETRIEVAL_DOCUMENT', title: 'T' }),
          entry('media', { content: { parts: [{ inlineData: { mimeType: 'image/png', data: mediaSamples.png } }] } }),
        ],
      });
      assertRefused(await client.create(batchOf('a')), 422, 'unsupported_parameter');
      assertRefused(
        await client.create({ requests: [entry('a', { input: 'x', model: 'm' })] }),
        422,
        'unsupported_parameter',
      );
      await world.runJobs();
      const results = await client.results(id);
      assert.equal(results.get('texts')?.at('response', 'data').list().length, 2);
      assert.equal(results.get('media')?.at('response', 'data').list().length, 1);
      const calls = world.provider.embedCalls.map(({ call }) => call.task ?? null);
      assert.deepEqual(new Set(calls), new Set(['RETRIEVAL_DOCUMENT', null]));
    },
    batchSettings,
  ),
  gatewayCase(
    'hands on large media and files of the project, whichever process carries the items out',
    async (world) => {
      const client = batchClient(world);
      const data = png(200_000);
      const fileId = await uploadedId(world);
      const id = await client.created({
        requests: [
          entry('inline', ofTurn({ text: 'Look' }, { inlineData: { mimeType: 'image/png', data } })),
          entry('file', ofTurn({ fileData: { fileUri: `files/${fileId}` } })),
        ],
      });
      await world.reopen();
      const seen: string[] = [];
      const { generate } = world.provider;
      const spied: typeof generate = async (call, context) => {
        for (const part of call.contents[0]?.parts ?? []) {
          if (part.kind !== 'blob') continue;
          const chunks: Uint8Array[] = [];
          for await (const chunk of part.read()) chunks.push(chunk);
          seen.push(part.file === undefined ? Buffer.concat(chunks).toString('base64') : part.file.id);
        }
        return generate(call, context);
      };
      Object.assign(world.provider, { generate: spied });
      assertRefused(await world.send({ method: 'DELETE', path: `/files/${fileId}` }), 409, 'request_in_progress');
      await world.runJobs();
      assert.deepEqual(new Set(seen), new Set([data, fileId]));
      assert.equal((await client.get(id)).at('completed_count').value, 2);
      okJson(await world.send({ method: 'DELETE', path: `/files/${fileId}` }));
    },
    batchSettings,
  ),
  gatewayCase(
    'refuses files that are not there, and a key whose model makes neither',
    async (world) => {
      const client = batchClient(world);
      const unknown = ofTurn({ fileData: { fileUri: 'files/01900000-0000-7000-8000-000000000000' } });
      assertRefused(await client.create({ requests: [entry('a', unknown)] }), 404, 'not_found');
      const { key } = await world.createCaller({ projectId: world.projectId, model: 'video-3.1-generate-preview' });
      assertRefused(await batchClient(world, key).create(batchOf('a')), 422, 'model_incompatible');
    },
    batchSettings,
  ),
];
