import assert from 'node:assert/strict';
import { assertRefused, okJson, type Json } from './answer.ts';
import { batchClient, batchOf, batchSettings, entry, itemMicros } from './batch-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { generate, ofTurn } from './generate-ask.ts';
import { measured } from './measured.ts';
import { plainAnswerMicros, suiteModel } from './suite-tariff.ts';

const credits = (micros: bigint): number => Number(micros) / 1_000_000;

const counts = (record: Json): readonly unknown[] =>
  ['request_count', 'completed_count', 'failed_count'].map((name) => record.at(name).value);

const operationLedger = (record: Json): readonly unknown[] => [
  record.at('charged_credits').value,
  record.at('reserved_credits').value,
];

const balanceMicros = async (world: GatewayWorld): Promise<bigint> =>
  (await world.wallet.read(world.accountId)).balanceMicros;

/** A batch from its creation to its end. */
export const batchesLifeCases: readonly GatewayCase[] = [
  gatewayCase(
    'is reserved, carried out and settled with the sum of its items [batches:record:counts] [batches:tariff:per-item] [batches:result:item-shape] [ledger:charged:batch-items]',
    async (world) => {
      const client = batchClient(world);
      const before = await balanceMicros(world);
      world.provider.script({ kind: 'not_executed', reason: 'failed' });
      const created = okJson(await client.create({ display_name: 'Three', ...batchOf('a', 'b', 'c') }));
      const id = created.at('id').text();
      assert.deepEqual(
        ['object', 'request_id', 'status', 'model', 'result'].map((name) => created.at(name).value),
        ['batch', id, 'reserved', suiteModel, null],
      );
      assert.deepEqual(counts(created), [3, 0, 0]);
      assert.ok(created.at('reserved_credits').number() > 0);
      assert.ok(!JSON.stringify(created.value).includes('Hello'));
      await world.runJobs();
      const done = await client.get(id);
      assert.equal(done.at('status').value, 'completed');
      assert.deepEqual(counts(done), [3, 2, 1]);
      assert.deepEqual(operationLedger(done), [credits(2n * itemMicros), 0]);
      assert.equal(done.at('result', 'service', 'credits').value, credits(2n * itemMicros));
      assert.equal(await balanceMicros(world), before - 2n * itemMicros);
      const results = [...(await client.results(id)).values()];
      const failed = results.filter((result) => result.at('status').value === 'failed');
      assert.deepEqual(
        failed.map((result) => result.at('error', 'code').value),
        ['request_failed'],
      );
      for (const result of results.filter((each) => each.at('status').value === 'completed')) {
        assert.equal(result.at('credits').value, credits(itemMicros));
        assert.equal(result.at('response', 'candidates', 0, 'content', 'parts', 0, 'text').value, 'Scripted answer.');
        assert.equal(result.at('response', 'modelVersion').value, suiteModel);
      }
      assert.deepEqual((await world.record(id)).at('response').value, done.value);
    },
    batchSettings,
  ),
  gatewayCase(
    'ends completed with failures inside, even if every item failed [batches:result:partial-failures]',
    async (world) => {
      const client = batchClient(world);
      world.provider.script(
        { kind: 'not_executed', reason: 'invalid_request' },
        { kind: 'not_executed', reason: 'input_limit' },
      );
      const id = await client.created(batchOf('a', 'b'));
      await world.runJobs();
      const record = await client.get(id);
      assert.equal(record.at('status').value, 'completed');
      assert.deepEqual(counts(record), [2, 0, 2]);
      assert.deepEqual(operationLedger(record), [0, 0]);
      const codes = [...(await client.results(id)).values()].map((result) => result.at('error', 'code').text());
      assert.deepEqual(new Set(codes), new Set(['unsupported_parameter', 'input_limit']));
    },
    batchSettings,
  ),
  gatewayCase(
    'finds each result by its key, in whatever order items end [batches:result:keyed-any-order]',
    async (world) => {
      const client = batchClient(world);
      const keys = ['first', 'second', 'third'] as const;
      const { generate: scripted } = world.provider;
      const waits = new Map<string, PromiseWithResolvers<void>>(keys.map((key) => [key, Promise.withResolvers()]));
      const reversed: typeof scripted = async (call, context) => {
        const part = call.contents[0]?.parts[0];
        const text = part?.kind === 'text' ? part.text : '';
        const next = keys[keys.findIndex((key) => key === text) + 1];
        if (next !== undefined) await waits.get(next)?.promise;
        waits.get(text)?.resolve();
        const answer = await scripted(call, context);
        return { ...answer, text: `answer to ${text}` };
      };
      Object.assign(world.provider, { generate: reversed });
      const id = await client.created({ requests: keys.map((key) => entry(key, ofTurn({ text: key }))) });
      await world.runJobs();
      const results = await client.results(id);
      assert.deepEqual(new Set(results.keys()), new Set(keys));
      for (const [key, result] of results)
        assert.equal(result.at('response', 'candidates', 0, 'content', 'parts', 0, 'text').value, `answer to ${key}`);
    },
    batchSettings,
  ),
  gatewayCase(
    'prices an item by the batch price list, not as the direct call [batches:tariff:separate]',
    async (world) => {
      const client = batchClient(world);
      const direct = okJson(await generate(world)).at('service', 'credits').value;
      const id = await client.created(batchOf('a'));
      await world.runJobs();
      assert.deepEqual(
        [direct, (await client.get(id)).at('charged_credits').value],
        [credits(plainAnswerMicros), credits(itemMicros)],
      );
    },
    batchSettings,
  ),
  gatewayCase(
    'cancels before anything ran without a charge [resources:cancel:before-start]',
    async (world) => {
      const client = batchClient(world);
      const before = await balanceMicros(world);
      const id = await client.created(batchOf('a', 'b'));
      const cancelled = okJson(await client.cancel(id));
      // A host's own ledger gets its command first.
      await world.runJobs();
      const record = await client.get(id);
      assert.ok(['failed', 'cancelling'].includes(cancelled.at('status').text()));
      assert.deepEqual([record.at('status').value, record.at('error_code').value], ['failed', 'cancelled']);
      assert.deepEqual(operationLedger(record), [0, 0]);
      assert.deepEqual([await balanceMicros(world), world.provider.calls.length], [before, 0]);
      okJson(await client.cancel(id));
      assert.equal((await client.get(id)).at('status').value, 'failed');
    },
    batchSettings,
  ),
  gatewayCase(
    'stops when it is cancelled: what runs is finished and charged, what waits is not begun [resources:cancel:keeps-charge]',
    async (world) => {
      const client = batchClient(world);
      const go = Promise.withResolvers<void>();
      const first = { kind: 'wait', until: go.promise, next: { kind: 'answer' } } as const;
      const keys = Array.from({ length: 20 }, (_, place) => `k${place}`);
      world.provider.script(...keys.map(() => first));
      const id = await client.created(batchOf(...keys));
      const jobs = world.runJobs();
      await world.provider.received(1);
      assert.equal(okJson(await client.cancel(id)).at('status').value, 'cancelling');
      assert.equal((await world.record(id)).at('status').value, 'processing');
      assertRefused(await client.remove(id), 409, 'request_in_progress');
      go.resolve();
      await jobs;
      const record = await client.get(id);
      const ran = BigInt(world.provider.calls.length);
      assert.ok(ran >= 1n && ran < 20n, `${ran} items ran`);
      assert.equal(record.at('status').value, 'completed');
      assert.deepEqual(operationLedger(record), [credits(ran * itemMicros), 0]);
      const states = [...(await client.results(id)).values()].map((result) => result.at('status').text());
      assert.equal(states.filter((state) => state === 'completed').length, Number(ran));
      assert.equal(states.filter((state) => state === 'cancelled').length, 20 - Number(ran));
      assert.deepEqual(okJson(await client.cancel(id)).value, record.value);
    },
    batchSettings,
  ),
  gatewayCase(
    'is uncertain and keeps its hold while one item is',
    async (world) => {
      const client = batchClient(world);
      const go = Promise.withResolvers<void>();
      world.provider.script({ kind: 'wait', until: go.promise, next: { kind: 'unknown' } });
      const id = await client.created(batchOf('a', 'b'));
      const jobs = world.runJobs();
      await world.provider.received(1);
      okJson(await client.cancel(id));
      go.resolve();
      await jobs;
      const record = await client.get(id);
      assert.deepEqual([record.at('status').value, record.at('error_code').value], ['uncertain', 'settlement_pending']);
      assert.ok(record.at('reserved_credits').number() > 0);
      assert.equal(record.at('result').value, null);
      await world.admin.resolveOperation(id, { executed: true });
      const resolved = await client.get(id);
      assert.equal(resolved.at('status').value, 'completed');
      assert.equal(resolved.at('result', 'results').list().length, 2);
    },
    batchSettings,
  ),
  gatewayCase(
    'recovers a batch by its identity, and runs its items once [idempotency:async:recover]',
    async (world) => {
      const client = batchClient(world);
      const headers = { 'idempotency-key': 'once' };
      const id = await client.created(batchOf('a'), { headers });
      assert.equal(await client.created(batchOf('a'), { headers }), id);
      await world.runJobs();
      const again = await client.create(batchOf('a'), { headers });
      assert.deepEqual(
        [okJson(again).at('status').value, again.headers.get('idempotency-replayed')],
        ['completed', 'true'],
      );
      assert.equal(world.provider.calls.length, 1);
      assertRefused(await client.create(batchOf('b'), { headers }), 409, 'ai_idempotency_conflict');
    },
    batchSettings,
  ),
  gatewayCase(
    'is listed in its project, deleted once it has ended, and unknown to others',
    async (world) => {
      const client = batchClient(world);
      const id = await client.created(batchOf('a'));
      const foreign = await world.createCaller({
        projectId: await world.createProject(world.accountId),
        model: suiteModel,
      });
      for (const path of [`/batches/${id}`, `/batches/${id}/cancel`])
        assertRefused(
          await world.send({ key: foreign.key, path, method: path.endsWith('cancel') ? 'POST' : undefined }),
          404,
          'not_found',
        );
      await world.runJobs();
      const list = okJson(await world.send({ path: '/batches' }));
      assert.deepEqual(
        list
          .at('data')
          .list()
          .map((record) => record.at('id').value),
        [id],
      );
      const charged = (await client.get(id)).at('charged_credits').value;
      const deleted = okJson(await client.remove(id));
      assert.deepEqual([deleted.at('status').value, deleted.at('deleted').value], ['deleted', true]);
      assertRefused(await client.remove(id), 404, 'not_found');
      assert.equal((await world.record(id)).at('charged_credits').value, charged);
      assert.deepEqual(okJson(await world.send({ path: '/batches' })).at('data').value, []);
      assert.equal((await client.get(id)).at('status').value, 'deleted');
    },
    batchSettings,
  ),
  gatewayCase(
    'begins nothing after 48 hours, and shows results for 30 days [limits:retention:batches]',
    async (world) => {
      const hour = 3_600_000;
      const client = batchClient(world);
      const late = await client.created(batchOf('a', 'b'));
      world.time.advance(48 * hour);
      await world.runJobs();
      const record = await client.get(late);
      assert.deepEqual([record.at('status').value, ...operationLedger(record)], ['completed', 0, 0]);
      assert.deepEqual(counts(record), [2, 0, 2]);
      assert.equal(world.provider.calls.length, 0);
      const id = await client.created(batchOf('a'));
      world.time.advance(47 * hour);
      await world.runJobs();
      assert.equal((await client.get(id)).at('completed_count').value, 1);
      world.time.advance(30 * 24 * hour - 1);
      await world.runJobs();
      assert.equal((await client.results(id)).size, 1);
      world.time.advance(1);
      await world.runJobs();
      const purged = await client.get(id);
      assert.deepEqual([purged.at('status').value, purged.at('result').value], ['completed', null]);
      assert.equal(purged.at('charged_credits').value, credits(itemMicros));
    },
    batchSettings,
  ),
  gatewayCase(
    'keeps answers of any length',
    async (world) => {
      const client = batchClient(world);
      const text = 'A long answer. '.repeat(200_000);
      const usage = measured(['input_text_tokens', 10], ['output_text_tokens', 5]);
      world.provider.script(
        { kind: 'answer', generation: { text, usage } },
        { kind: 'answer', generation: { text, usage } },
      );
      const id = await client.created(batchOf('a', 'b'));
      await world.runJobs();
      // More than a gateway holds: it comes from where it lies.
      assert.deepEqual((await world.record(id)).at('response').value, (await client.get(id)).value);
      for (const [, result] of await client.results(id))
        assert.equal(result.at('response', 'candidates', 0, 'content', 'parts', 0, 'text').value, text);
      assert.equal((await client.get(id)).at('charged_credits').value, credits(2n * itemMicros));
    },
    batchSettings,
  ),
];
