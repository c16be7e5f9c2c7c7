import assert from 'node:assert/strict';
import { okJson, requestIdOf, type Answer, type Json } from './answer.ts';
import { textEmbedding } from './embedder.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { helloContent } from './generate-ask.ts';
import { askGoogle, assertRefusedField, assertTold, google, keyOf, strangerOf, type GoogleAsk } from './google-ask.ts';
import { suiteModel } from './suite-tariff.ts';
import { batchOfLines, jsonLines, line as lineOfBatch, uploadLines } from './wire-batch-ask.ts';

const hello = { contents: [helloContent] };
const item = (metadata?: object) => ({ request: hello, ...(metadata !== undefined && { metadata }) });
const bodyOf = (requests: readonly object[]) => ({
  batch: { displayName: 'Night', inputConfig: { requests: { requests } } },
});

const create = (world: GatewayWorld, body: unknown, more: GoogleAsk = {}): Promise<Answer> =>
  askGoogle(world, `/models/${suiteModel}:batchGenerateContent`, { ...more, body });

/** The batch once no worker has it any more. */
const ended = async (world: GatewayWorld, name: string, credential = world.key): Promise<Json> => {
  await world.runJobs();
  return okJson(await askGoogle(world, `/${name}`, { credential }));
};

const ofFile = (fileName: string) => ({ batch: { displayName: 'Night', inputConfig: { fileName } } });

const resultsOf = (batch: Json): readonly Json[] =>
  batch.at('metadata', 'output', 'inlinedResponses', 'inlinedResponses').list();

/** Batches in the terms of Google's clients: the same resource, credits and states. */
export const googleBatchCases: readonly GatewayCase[] = [
  gatewayCase(
    'google: runs a batch as a long operation, with its responses in the order sent, each beside what its client wants back',
    async (world) => {
      world.provider.script(
        { kind: 'answer', generation: { text: 'Yes.' } },
        { kind: 'not_executed', reason: 'failed' },
      );
      const answer = await create(world, bodyOf([item({ key: 'a', note: '\u2028' }), item()]));
      const created = okJson(answer);
      const name = created.at('name').text();
      assert.equal(name, `batches/${requestIdOf(answer)}`);
      assert.deepEqual(
        [created.at('done').value, created.at('metadata', 'state').value, created.at('metadata', 'displayName').value],
        [false, 'BATCH_STATE_PENDING', 'Night'],
      );
      const batch = await ended(world, name);
      assert.deepEqual(
        [batch.at('done').value, batch.at('metadata', 'state').value, batch.at('metadata', 'model').value],
        [true, 'BATCH_STATE_SUCCEEDED', `models/${suiteModel}`],
      );
      assert.deepEqual(batch.at('metadata', 'batchStats').value, {
        requestCount: '2',
        successfulRequestCount: '1',
        failedRequestCount: '1',
        pendingRequestCount: '0',
      });
      const [first, second] = resultsOf(batch);
      assert.deepEqual(first?.at('metadata').value, { key: 'a', note: '\u2028' });
      assert.equal(first.at('response', 'candidates', 0, 'content', 'parts', 0, 'text').value, 'Yes.');
      assert.deepEqual([second?.at('metadata').value, second?.at('error', 'code').value], [undefined, 502]);
      const record = await world.record(requestIdOf(answer));
      assert.equal(record.at('charged_credits').value, first.at('response', 'service', 'credits').value);
      const [listed] = okJson(await askGoogle(world, '/batches?pageSize=1'))
        .at('operations')
        .list();
      assert.deepEqual([listed?.at('name').value, listed?.at('metadata', 'output').value], [name, undefined]);
      assert.deepEqual(okJson(await askGoogle(world, `/${name}`, { method: 'DELETE' })).value, {});
      assertTold(await askGoogle(world, `/${name}`), 404, 'NOT_FOUND', 'not_found');
    },
    google,
  ),
  gatewayCase(
    'google: replays the creation of a batch, and charges it once',
    async (world) => {
      const headers = { 'idempotency-key': 'one-batch' };
      const first = await create(world, bodyOf([item()]), { headers });
      const name = okJson(first).at('name').text();
      await ended(world, name);
      const again = await create(world, bodyOf([item()]), { headers });
      assert.deepEqual([okJson(again).at('name').value, again.headers.get('idempotency-replayed')], [name, 'true']);
      assert.equal(world.provider.calls.length, 1);
      assertTold(await create(world, bodyOf([item(), item()]), { headers }), 409, 'ABORTED', 'ai_idempotency_conflict');
    },
    google,
  ),
  gatewayCase(
    'google: runs a batch of a file, whose responses are a file with a line for each request, and replays it when the file is gone',
    async (world) => {
      world.provider.script(
        { kind: 'answer', generation: { text: 'Yes.' } },
        { kind: 'not_executed', reason: 'failed' },
      );
      const fileId = await uploadLines(world, [
        { key: 'a', request: { ...hello, generation_config: { max_output_tokens: 7 } } },
        '',
        { key: 'b', request: hello },
      ]);
      const headers = { 'idempotency-key': 'one-file' };
      const first = await create(world, ofFile(`files/${fileId}`), { headers });
      const name = okJson(first).at('name').text();
      const batch = await ended(world, name);
      assert.deepEqual(
        [batch.at('metadata', 'state').value, batch.at('metadata', 'displayName').value],
        ['BATCH_STATE_SUCCEEDED', 'Night'],
      );
      assert.equal(world.provider.calls[0]?.call.outputTokensMax, 7);
      const path = `/${batch.at('metadata', 'output', 'responsesFile').text()}:download?alt=media`;
      const [done, failed] = jsonLines(await askGoogle(world, path));
      assert.deepEqual([done?.at('key').value, failed?.at('key').value], ['a', 'b']);
      assert.equal(done?.at('response', 'candidates', 0, 'content', 'parts', 0, 'text').value, 'Yes.');
      assert.equal(failed?.at('error', 'code').value, 502);
      const record = await world.record(requestIdOf(first));
      assert.equal(record.at('charged_credits').value, done.at('response', 'service', 'credits').value);
      const credential = await strangerOf(world, suiteModel);
      assertTold(await askGoogle(world, path, { credential }), 404, 'NOT_FOUND', 'not_found');
      okJson(await askGoogle(world, `/files/${fileId}`, { method: 'DELETE' }));
      const again = await create(world, ofFile(`files/${fileId}`), { headers });
      assert.deepEqual([okJson(again).at('name').value, again.headers.get('idempotency-replayed')], [name, 'true']);
      assertTold(await create(world, ofFile(`files/${fileId}`)), 404, 'NOT_FOUND', 'not_found');
      assert.equal(world.provider.calls.length, 2);
      okJson(await askGoogle(world, `/${name}`, { method: 'DELETE' }));
      assertTold(await askGoogle(world, path), 404, 'NOT_FOUND', 'not_found');
    },
    google,
  ),
  gatewayCase(
    'google: refuses the file of a batch whole for one line, by the number of the line, and has no responses before its end',
    async (world) => {
      const refused = async (lines: readonly unknown[], words: string, status = 422): Promise<void> => {
        const answer = await create(world, ofFile(`files/${await uploadLines(world, lines)}`));
        assert.deepEqual([answer.status, answer.text.includes(words)], [status, true], answer.text);
      };
      const line = { key: 'a', request: hello };
      await refused(['{"key":'], 'In line 1 of the file: ', 400);
      await refused(
        [line, '', { key: 'b', request: { ...hello, tool: [] } }],
        'In line 3 of the file: The field tool ',
      );
      await refused([line, { request: hello }], 'In line 2 of the file: The field key ');
      await refused([line, line], 'In line 2 of the file: The field key repeats');
      await refused(['', ''], 'The file of batch.inputConfig.fileName has no request');
      assert.deepEqual(await world.admin.listOperations({ kind: 'project', projectId: world.projectId }), []);
      const asked = await create(world, ofFile(`files/${await uploadLines(world, [line])}`));
      const path = `/files/${requestIdOf(asked).replaceAll('-', '')}responses:download`;
      assertTold(await askGoogle(world, path), 404, 'NOT_FOUND', 'not_found');
      await world.runJobs();
      assert.equal(jsonLines(await askGoogle(world, path)).length, 1);
    },
    google,
  ),
  gatewayCase(
    'google: embeds by a batch, with one vector for each request, for a key without a model',
    async (world) => {
      const credential = await keyOf(world, null);
      const requests = ['a', 'b'].map((text) => ({
        request: { model: `models/${textEmbedding}`, content: { parts: [{ text }] }, outputDimensionality: 128 },
      }));
      const body = bodyOf(requests);
      const created = await askGoogle(world, `/models/${textEmbedding}:asyncBatchEmbedContent`, { credential, body });
      const batch = await ended(world, okJson(created).at('name').text(), credential);
      const vectors = resultsOf(batch).map((each) => each.at('response', 'embedding', 'values').list().length);
      assert.deepEqual(vectors, [128, 128]);
    },
    google,
  ),
  gatewayCase(
    'google: cancels a batch that has not begun, and charges nothing',
    async (world) => {
      const name = okJson(await create(world, bodyOf([item()])))
        .at('name')
        .text();
      assert.deepEqual(okJson(await askGoogle(world, `/${name}:cancel`, { method: 'POST' })).value, {});
      const batch = await ended(world, name);
      assert.deepEqual([batch.at('done').value, batch.at('metadata', 'state').value], [true, 'BATCH_STATE_CANCELLED']);
      assert.equal((await world.wallet.read(world.accountId)).reservedMicros, 0n);
      assert.equal(world.provider.calls.length, 0);
    },
    google,
  ),
  gatewayCase(
    'google: refuses a batch by the name of the field, and shows another project nothing',
    async (world) => {
      assertRefusedField(await create(world, ofFile('x')), 'batch.inputConfig.fileName');
      assertTold(await create(world, ofFile('files/x')), 404, 'NOT_FOUND', 'not_found');
      const hooked = { batch: { ...bodyOf([item()]).batch, webhookConfig: {} } };
      assertRefusedField(await create(world, hooked), 'batch.webhookConfig');
      const at = 'batch.inputConfig.requests.requests';
      assertRefusedField(await create(world, bodyOf([])), at);
      assertRefusedField(await create(world, bodyOf([item({ key: 7 })])), `${at}[0].metadata`);
      const foreign = bodyOf([{ request: { ...hello, model: 'models/pro-2.5' } }]);
      assertTold(await create(world, foreign), 422, 'INVALID_ARGUMENT', 'model_key_mismatch');
      const name = okJson(await create(world, bodyOf([item()])))
        .at('name')
        .text();
      const credential = await strangerOf(world, suiteModel);
      for (const [path, method] of [
        [`/${name}`, 'GET'],
        [`/${name}`, 'DELETE'],
        [`/${name}:cancel`, 'POST'],
      ] as const)
        assertTold(await askGoogle(world, path, { credential, method }), 404, 'NOT_FOUND', 'not_found');
      await world.runJobs();
    },
    google,
  ),
  gatewayCase(
    'google: leaves the batches of another wire alone',
    async (world) => {
      const id = okJson(await batchOfLines(world, [lineOfBatch('a')]))
        .at('id')
        .text();
      await world.runJobs();
      for (const [path, method] of [
        [`/batches/${id}`, 'GET'],
        [`/batches/${id}:cancel`, 'POST'],
        [`/batches/${id}`, 'DELETE'],
      ] as const)
        assertTold(await askGoogle(world, path, { method }), 404, 'NOT_FOUND', 'not_found');
      assert.equal(okJson(await world.send({ path: `/batches/${id}` })).at('status').value, 'completed');
    },
    { compatibility: { google: true, openai: true } },
  ),
];
