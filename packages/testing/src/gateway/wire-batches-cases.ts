import assert from 'node:assert/strict';
import { assertRefused, jsonOf, okJson, type Answer, type Json } from './answer.ts';
import { batchSettings, itemMicros } from './batch-ask.ts';
import { createdJson, deleteFile, upload } from './file-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { Ask, GatewayWorld } from './gateway-world.ts';
import { measured } from './measured.ts';
import { suiteModel } from './suite-tariff.ts';

const settings = { ...batchSettings, compatibility: { openai: true, anthropic: true } } as const;

const credits = (micros: bigint): number => Number(micros) / 1_000_000;

const balanceMicros = async (world: GatewayWorld): Promise<bigint> =>
  (await world.wallet.read(world.accountId)).balanceMicros;

const chatUrl = '/v1/chat/completions';
const chat = (content: string, more: object = {}) => ({ messages: [{ role: 'user', content }], ...more });
const line = (custom_id: string, body: object = chat('Hello'), url: string = chatUrl): object => ({
  custom_id,
  method: 'POST',
  url,
  body,
});

const uploadLines = async (world: GatewayWorld, lines: readonly unknown[]): Promise<string> => {
  const text = lines.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n');
  const data = Buffer.from(text).toString('base64');
  return createdJson(await upload(world, { display_name: 'a.jsonl', mime_type: 'text/plain', data }))
    .at('id')
    .text();
};

/** A batch of a file, as its own request. */
const batchOfFile = (
  world: GatewayWorld,
  input_file_id: string,
  more: Partial<Ask> & { readonly url?: string } = {},
) => {
  const { url = chatUrl, ...rest } = more;
  const body = { input_file_id, endpoint: url, completion_window: '24h', metadata: { night: 'first' } };
  return world.send({ path: '/batches', body, ...rest });
};

const batchOfLines = async (world: GatewayWorld, lines: readonly unknown[], url = chatUrl): Promise<Answer> =>
  batchOfFile(world, await uploadLines(world, lines), { url });

const jsonLines = (answer: Answer): readonly Json[] => {
  assert.equal(answer.status, 200, answer.text);
  return answer.text.split('\n').flatMap((each) => (each === '' ? [] : [jsonOf(JSON.parse(each))]));
};

const contentOf = (world: GatewayWorld, id: unknown): Promise<Answer> =>
  world.send({ path: `/files/${String(id)}/content` });

const ofFiles: readonly GatewayCase[] = [
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

const messages = { 'anthropic-version': '2023-06-01' };

const entry = (custom_id: string, params: object = {}): object => ({
  custom_id,
  params: { model: suiteModel, max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }], ...params },
});

const askMessages = (world: GatewayWorld, path: string, more: Partial<Ask> = {}): Promise<Answer> =>
  world.send({ ...more, path: `/v1/messages/batches${path}`, headers: { ...messages, ...more.headers } });

const ofMessages: readonly GatewayCase[] = [
  gatewayCase(
    'batches of messages: run each request as a message, at batch prices, and give the results by line',
    async (world) => {
      const before = await balanceMicros(world);
      world.provider.script({ kind: 'not_executed', reason: 'failed' });
      const created = okJson(await askMessages(world, '', { body: { requests: [entry('a'), entry('b')] } }));
      const id = created.at('id').text();
      assert.match(id, /^msgbatch_/);
      assert.deepEqual(
        [created.at('type').value, created.at('processing_status').value, created.at('results_url').value],
        ['message_batch', 'in_progress', null],
      );
      assertRefused(await askMessages(world, `/${id}/results`), 409, 'request_in_progress');
      await world.runJobs();
      const done = okJson(await askMessages(world, `/${id}`));
      assert.equal(done.at('processing_status').value, 'ended');
      assert.deepEqual(done.at('request_counts').value, {
        processing: 0,
        succeeded: 1,
        errored: 1,
        canceled: 0,
        expired: 0,
      });
      const results = jsonLines(await world.send({ path: done.at('results_url').text(), headers: messages }));
      const byType = new Map(results.map((each) => [each.at('result', 'type').text(), each.at('result')]));
      const message = byType.get('succeeded')?.at('message') ?? assert.fail('none succeeded');
      assert.deepEqual(
        [
          message.at('content', 0, 'text').value,
          message.at('stop_reason').value,
          message.at('service', 'credits').value,
        ],
        ['Scripted answer.', 'end_turn', credits(itemMicros)],
      );
      assert.deepEqual(
        [message.at('usage', 'input_tokens').value, message.at('usage', 'output_tokens').value],
        [10, 5],
      );
      assert.equal(byType.get('errored')?.at('error', 'error', 'code').value, 'request_failed');
      assert.equal(await balanceMicros(world), before - itemMicros);
    },
    settings,
  ),
  gatewayCase(
    'batches of messages: are recovered by their identity, listed in pages, and deleted',
    async (world) => {
      const headers = { 'idempotency-key': 'once' };
      const send = () => askMessages(world, '', { body: { requests: [entry('a')] }, headers });
      const id = okJson(await send())
        .at('id')
        .text();
      await world.runJobs();
      const again = await send();
      const done = okJson(again);
      assert.deepEqual(
        [done.at('id').value, done.at('processing_status').value, again.headers.get('idempotency-replayed')],
        [id, 'ended', 'true'],
      );
      assert.equal(world.provider.calls.length, 1);
      const list = okJson(await askMessages(world, '?limit=1'));
      assert.deepEqual([list.at('data').value, list.at('has_more').value], [[done.value], false]);
      const deleted = okJson(await askMessages(world, `/${id}`, { method: 'DELETE' }));
      assert.equal(deleted.at('type').value, 'message_batch_deleted');
      assertRefused(await askMessages(world, `/${id}`), 404, 'not_found');
    },
    settings,
  ),
  gatewayCase(
    'batches of messages: refuse the whole for one request, and name its place',
    async (world) => {
      const bad: readonly (readonly [requests: readonly object[], field: string])[] = [
        [[], 'requests'],
        [[entry('a'), entry('a')], 'requests[1].custom_id'],
        [[entry('a'), entry('b', { max_tokens: 0 })], 'requests[1].params: The field max_tokens'],
        [[entry('a', { stream: true })], 'stream'],
        [[{ ...entry('a'), priority: 1 }], 'priority'],
        [Array.from({ length: 101 }, (_, place) => entry(`k${place}`)), 'requests'],
      ];
      for (const [requests, field] of bad) {
        const answer = await askMessages(world, '', { body: { requests } });
        assert.equal(answer.status, 400, answer.text);
        assert.ok(jsonOf(JSON.parse(answer.text)).at('error', 'message').text().includes(field), answer.text);
      }
      assert.equal(world.provider.calls.length, 0);
    },
    settings,
  ),
  gatewayCase(
    'batches of messages: cancelled before they began cost nothing, and say so of each request',
    async (world) => {
      const before = await balanceMicros(world);
      const id = okJson(await askMessages(world, '', { body: { requests: [entry('a'), entry('b')] } }))
        .at('id')
        .text();
      okJson(await askMessages(world, `/${id}/cancel`, { method: 'POST' }));
      await world.runJobs();
      const done = okJson(await askMessages(world, `/${id}`));
      assert.deepEqual([done.at('processing_status').value, done.at('request_counts', 'canceled').value], ['ended', 2]);
      const results = jsonLines(await askMessages(world, `/${id}/results`));
      assert.deepEqual(
        results.map((each) => [each.at('custom_id').value, each.at('result').value]),
        [
          ['a', { type: 'canceled' }],
          ['b', { type: 'canceled' }],
        ],
      );
      assert.equal(await balanceMicros(world), before);
      // The batches of another form are none here.
      const other = okJson(await batchOfLines(world, [line('a')]))
        .at('id')
        .text();
      assertRefused(await askMessages(world, `/msgbatch_${other}`), 404, 'not_found');
    },
    settings,
  ),
];

/** Batches in the forms of the dialects: of a file, and of messages. */
export const wireBatchesCases: readonly GatewayCase[] = [...ofFiles, ...ofMessages];
