import assert from 'node:assert/strict';
import { assertRefused, jsonOf, okJson } from './answer.ts';
import { itemMicros } from './batch-ask.ts';
import { deleteFile } from './file-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { measured } from './measured.ts';
import { scriptedLimiter } from './scripted-limiter.ts';
import { suiteModel } from './suite-tariff.ts';
import {
  balanceMicros,
  batchOfFile,
  batchOfLines,
  chat,
  chatUrl,
  contentOf,
  credits,
  jsonLines,
  line,
  uploadLines,
  wireBatchSettings as settings,
} from './wire-batch-ask.ts';

const limiting = scriptedLimiter({
  refuse: () => ({ kind: 'limited', level: 'key', amount: 'requests', limit: 1, retryAfterMs: 1_000, reports: [] }),
});

/** Batches of a file. */
export const fileBatchesCases: readonly GatewayCase[] = [
  gatewayCase(
    'batches of a file: run each line as its own route, at batch prices, and give results and errors as files',
    async (world) => {
      const before = await balanceMicros(world);
      world.provider.script({ kind: 'not_executed', reason: 'failed' });
      const created = okJson(await batchOfLines(world, [line('a'), '', line('b'), line('c')]));
      assert.deepEqual(
        ['object', 'status', 'endpoint', 'output_file_id', 'errors'].map((name) => created.at(name).value),
        ['batch', 'validating', chatUrl, null, null],
      );
      const id = created.at('id').text();
      await world.runJobs();
      const done = okJson(await world.send({ path: `/batches/${id}` }));
      assert.equal(done.at('status').value, 'completed');
      assert.deepEqual(done.at('request_counts').value, { total: 3, completed: 2, failed: 1 });
      assert.deepEqual(done.at('metadata').value, { night: 'first' });
      const output = await contentOf(world, done.at('output_file_id').value);
      const lines = jsonLines(output);
      for (const each of lines) {
        const body = each.at('response', 'body');
        assert.equal(each.at('response', 'status_code').value, 200);
        assert.equal(body.at('choices', 0, 'message', 'content').value, 'Scripted answer.');
        assert.equal(body.at('usage', 'total_tokens').value, 15);
        assert.equal(body.at('service', 'credits').value, credits(itemMicros));
      }
      const errors = jsonLines(await contentOf(world, done.at('error_file_id').value));
      assert.deepEqual(
        errors.map((each) => each.at('response', 'body', 'error', 'code').value),
        ['request_failed'],
      );
      const names = [...lines, ...errors].map((each) => each.at('custom_id').text());
      assert.deepEqual(names.toSorted(), ['a', 'b', 'c']);
      assert.equal(await balanceMicros(world), before - 2n * itemMicros);
      const file = okJson(await world.send({ path: `/files/${done.at('output_file_id').text()}` }));
      assert.deepEqual(
        [file.at('bytes').value, file.at('purpose').value],
        [Buffer.byteLength(output.text), 'batch_output'],
      );
      const record = okJson(await world.send({ path: '/batches' })).at('data', 0);
      assert.deepEqual([record.at('status').value, record.at('wire').value], ['completed', undefined]);
    },
    settings,
  ),
  gatewayCase(
    'batches of a file: are recovered by their identity, also when the file is gone, and run once',
    async (world) => {
      const headers = { 'idempotency-key': 'once' };
      const fileId = await uploadLines(world, [line('a')]);
      const first = okJson(await batchOfFile(world, fileId, { headers }));
      await world.runJobs();
      assert.equal((await deleteFile(world, fileId)).status, 200);
      const again = await batchOfFile(world, fileId, { headers });
      assert.deepEqual(
        [okJson(again).at('id').value, okJson(again).at('status').value, again.headers.get('idempotency-replayed')],
        [first.at('id').value, 'completed', 'true'],
      );
      assert.equal(world.provider.calls.length, 1);
      assertRefused(await batchOfFile(world, fileId), 404, 'not_found');
      assertRefused(
        await batchOfFile(world, fileId, { headers, url: '/v1/responses' }),
        409,
        'ai_idempotency_conflict',
      );
    },
    settings,
  ),
  gatewayCase(
    'batches of a file: say that the file is not there before they count for a limit, where nothing could be recovered',
    async (world) => {
      const unknown = '01900000-0000-7000-8000-000000000000';
      assertRefused(await batchOfFile(world, unknown), 404, 'not_found');
      assert.deepEqual(limiting.notesOf(world.keyId).questions, []);
    },
    { ...settings, limiter: limiting },
  ),
  gatewayCase(
    'batches of a file: refuse the whole for one line, and name the line',
    async (world) => {
      const bad: readonly (readonly [lines: readonly unknown[], field: string])[] = [
        [[line('a'), '{'], 'line 2'],
        [[line('a'), line('b', chat('Hi', { n: 2 }))], 'line 2 of the file: The field n'],
        [[line('a'), line('a')], 'line 2 of the file: The field custom_id'],
        [[line('a', chat('Hi', { stream: true }))], 'stream'],
        [[line('a', chat('Hi', { model: 'other' }))], 'model'],
        [[line('a', chat('Hi'), '/v1/responses')], 'url'],
        [[{ ...line('a'), method: 'GET' }], 'method'],
        [['\n'], 'no request'],
        [['\n'.repeat(300), line('a')], 'blank lines'],
        [Array.from({ length: 101 }, (_, place) => line(`k${place}`)), 'more than 100'],
      ];
      for (const [lines, field] of bad) {
        const answer = await batchOfLines(world, lines);
        assert.ok(answer.status >= 400 && answer.status < 500, answer.text);
        assert.ok(jsonOf(JSON.parse(answer.text)).at('error', 'message').text().includes(field), answer.text);
      }
      const fileId = await uploadLines(world, [line('a')]);
      assertRefused(await batchOfFile(world, fileId, { url: '/v1/images/edits' }), 422, 'invalid_request');
      assert.deepEqual(okJson(await world.send({ path: '/batches' })).at('data').value, []);
      assert.equal(world.provider.calls.length, 0);
    },
    settings,
  ),
  gatewayCase(
    'batches of a file: take no more of earlier responses than one body may hold, of all lines together',
    async (world) => {
      world.provider.script({ kind: 'answer', generation: { text: 'a'.repeat(300_000), functionCalls: [] } });
      const first = okJson(await world.send({ path: '/responses', body: { input: 'Hello' } }));
      const goingOn = { input: 'And?', previous_response_id: first.at('id').text() };
      const lines = (count: number) =>
        Array.from({ length: count }, (_, place) => line(`k${place}`, goingOn, '/v1/responses'));
      okJson(await batchOfLines(world, lines(2), '/v1/responses'));
      // Together they have more than 20 MiB.
      const refused = await batchOfLines(world, lines(80), '/v1/responses');
      assertRefused(refused, 422, 'input_limit');
      assert.match(refused.text, /In line 7\d of the file/);
    },
    settings,
  ),
  gatewayCase(
    'batches of a file: belong to their project, with their files of results',
    async (world) => {
      const id = okJson(await batchOfLines(world, [line('a')]))
        .at('id')
        .text();
      await world.runJobs();
      const outputId = okJson(await world.send({ path: `/batches/${id}` }))
        .at('output_file_id')
        .text();
      const { key } = await world.createCaller({
        projectId: await world.createProject(world.accountId),
        model: suiteModel,
      });
      for (const path of [`/batches/${id}`, `/files/${outputId}`, `/files/${outputId}/content`])
        assertRefused(await world.send({ key, path }), 404, 'not_found');
      assertRefused(await world.send({ path: `/files/file-${id}-errors/content` }), 404, 'not_found');
      assertRefused(await world.send({ method: 'DELETE', path: `/files/${outputId}` }), 422, 'unsupported_parameter');
      okJson(await world.send({ method: 'DELETE', path: `/batches/${id}` }));
      assertRefused(await contentOf(world, outputId), 404, 'not_found');
    },
    settings,
  ),
  gatewayCase(
    'batches of a file: give results of any length',
    async (world) => {
      const text = 'A "long" {answer}. '.repeat(160_000);
      const usage = measured(['input_text_tokens', 10], ['output_text_tokens', 5]);
      world.provider.script(
        { kind: 'answer', generation: { text, usage } },
        { kind: 'answer', generation: { text, usage } },
      );
      const id = okJson(await batchOfLines(world, [line('a'), line('b')]))
        .at('id')
        .text();
      await world.runJobs();
      const lines = jsonLines(await contentOf(world, `file-${id}-output`));
      assert.equal(lines.length, 2);
      for (const each of lines)
        assert.equal(each.at('response', 'body', 'choices', 0, 'message', 'content').value, text);
    },
    settings,
  ),
];
