import assert from 'node:assert/strict';
import { assertRefused, jsonOf, okJson, type Answer } from './answer.ts';
import { itemMicros } from './batch-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { Ask, GatewayWorld } from './gateway-world.ts';
import { suiteModel } from './suite-tariff.ts';
import {
  balanceMicros,
  batchOfLines,
  credits,
  jsonLines,
  line,
  wireBatchSettings as settings,
} from './wire-batch-ask.ts';

const messages = { 'anthropic-version': '2023-06-01' };

const entry = (custom_id: string, params: object = {}): object => ({
  custom_id,
  params: { model: suiteModel, max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }], ...params },
});

const askMessages = (world: GatewayWorld, path: string, more: Partial<Ask> = {}): Promise<Answer> =>
  world.send({ ...more, path: `/v1/messages/batches${path}`, headers: { ...messages, ...more.headers } });

/** Batches of messages. */
export const messageBatchesCases: readonly GatewayCase[] = [
  gatewayCase(
    'batches of messages: run each request as a message, at batch prices, and give the results by line',
    async (world) => {
      const before = await balanceMicros(world);
      world.provider.script({ kind: 'not_executed', reason: 'failed' });
      const created = okJson(await askMessages(world, '', { body: { requests: [entry('a'), entry('b')] } }));
      const id = created.at('id').text();
      assert.match(id, /^msgbatch_/);
      assert.deepEqual(
        ['type', 'processing_status', 'results_url'].map((name) => created.at(name).value),
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
        ['input_tokens', 'output_tokens', 'service_tier'].map((name) => message.at('usage', name).value),
        [10, 5, 'batch'],
      );
      assert.equal(byType.get('errored')?.at('error', 'error', 'code').value, 'request_failed');
      assert.equal(await balanceMicros(world), before - itemMicros);
    },
    settings,
  ),
  gatewayCase(
    'batches of messages: count no request as run, failed or cancelled before it began',
    async (world) => {
      const created = okJson(await askMessages(world, '', { body: { requests: [entry('a'), entry('b')] } }));
      assert.deepEqual(created.at('request_counts').value, {
        processing: 2,
        succeeded: 0,
        errored: 0,
        canceled: 0,
        expired: 0,
      });
      await world.runJobs();
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
