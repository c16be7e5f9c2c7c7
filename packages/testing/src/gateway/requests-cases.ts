import assert from 'node:assert/strict';
import { RequestRecord, requestStatuses } from '@tollgate/contract';
import { assertRefused, assertTextError, okJson, requestIdOf, type Json } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { greeting, type GatewayWorld } from './gateway-world.ts';
import { suiteModel, suiteRow, suiteTariff } from './suite-tariff.ts';

const credits = (record: Json): readonly unknown[] => [
  record.at('charged_credits').value,
  record.at('reserved_credits').value,
];

/** The record of the only operation of the project. */
const onlyRecord = async (world: GatewayWorld): Promise<Json> => {
  const operations = await world.admin.listOperations({ kind: 'project', projectId: world.projectId });
  assert.equal(operations.length, 1);
  return world.record(operations[0]?.id ?? '');
};

/** GET /requests/{id}. */
export const requestsCases: readonly GatewayCase[] = [
  gatewayCase('returns a record with all its fields [requests:get:record]', async (world) => {
    const answer = await world.chat();
    const record = await world.record(requestIdOf(answer));
    assert.ok(RequestRecord.safeParse(record.value).success);
    assert.deepEqual(record.value, {
      id: requestIdOf(answer),
      status: 'completed',
      charged_credits: 0.02,
      reserved_credits: 0,
      error_code: null,
      created_at: new Date(world.time.now()).toISOString(),
      response: okJson(answer).value,
    });
  }),
  gatewayCase("knows only the operations of the key's project [requests:get:isolated]", async (world) => {
    const id = requestIdOf(await world.chat());
    const foreign = await world.createCaller({
      projectId: await world.createProject(world.accountId),
      model: suiteModel,
    });
    assertTextError(await world.send({ path: `/requests/${id}`, key: foreign.key }), 404);
    for (const unknown of ['01900000-0000-7000-8000-000000000000', `chatcmpl-${id}`, id.toUpperCase(), 'x'])
      assertTextError(await world.send({ path: `/requests/${unknown}` }), 404);
  }),
  gatewayCase('never executes on a query [requests:get:never-executes]', async (world) => {
    const id = requestIdOf(await world.chat());
    const first = await world.send({ path: `/requests/${id}` });
    for (let time = 0; time < 9; time += 1)
      assert.equal((await world.send({ path: `/requests/${id}` })).text, first.text);
    assert.equal(world.provider.calls.length, 1);
  }),
  gatewayCase(
    'shows what is set aside while it runs, and what was debited after [requests:record:credits] [requests:record:response-chat]',
    async (world) => {
      const { promise: until, resolve } = Promise.withResolvers<void>();
      world.provider.script({ kind: 'wait', until, next: { kind: 'answer' } });
      const asked = world.chat();
      await world.provider.received(1);
      const running = await onlyRecord(world);
      assert.equal(running.at('status').value, 'processing');
      assert.equal(running.at('response').value, null);
      assert.equal(running.at('charged_credits').value, 0);
      assert.ok(running.at('reserved_credits').number() > 0);
      resolve();
      const answer = await asked;
      const done = await world.record(requestIdOf(answer));
      assert.deepEqual(credits(done), [0.02, 0]);
      assert.deepEqual(done.at('response').value, okJson(answer).value);
    },
  ),
  gatewayCase('tells the answer of a stream as the completion that it is', async (world) => {
    const answer = await world.chat({ ...greeting, stream: true });
    const response = (await world.record(requestIdOf(answer))).at('response');
    assert.equal(response.at('object').value, 'chat.completion');
    assert.equal(response.at('choices', 0, 'message', 'content').value, 'Scripted answer.');
  }),
  gatewayCase(
    'says settlement_pending of what is not certain [requests:record:error-code] [requests:move:processing-uncertain]',
    async (world) => {
      world.provider.script({ kind: 'unknown' });
      const error = assertRefused(await world.chat(), 502, 'request_failed');
      const record = await world.record(error.at('request_id').text());
      assert.equal(record.at('status').value, 'uncertain');
      assert.equal(record.at('error_code').value, 'settlement_pending');
      assert.equal(record.at('charged_credits').value, 0);
      assert.ok(record.at('reserved_credits').number() > 0);
    },
  ),
  gatewayCase(
    'marks an operation uncertain whose process went away, and keeps its credits [requests:move:processing-uncertain]',
    async (world) => {
      world.provider.script({ kind: 'never' });
      void world.chat().catch(() => {});
      await world.provider.received(1);
      const running = await onlyRecord(world);
      world.time.advance(60_000);
      await world.runJobs();
      const markedUncertain = await onlyRecord(world);
      assert.equal(markedUncertain.at('status').value, 'uncertain');
      assert.equal(markedUncertain.at('error_code').value, 'settlement_pending');
      assert.equal(markedUncertain.at('reserved_credits').value, running.at('reserved_credits').value);
    },
  ),
  gatewayCase(
    'fails and frees everything when the provider confirms it [requests:move:processing-failed]',
    async (world) => {
      const before = await world.wallet.read(world.accountId);
      world.provider.script({ kind: 'not_executed', reason: 'failed' });
      const error = assertRefused(await world.chat(), 502, 'request_failed');
      const record = await world.record(error.at('request_id').text());
      assert.deepEqual([record.at('status').value, record.at('error_code').value], ['failed', 'request_failed']);
      assert.deepEqual(credits(record), [0, 0]);
      assert.equal(record.at('response').value, null);
      assert.deepEqual(await world.wallet.read(world.accountId), before);
    },
  ),
  gatewayCase(
    'ends what was uncertain by the word of an operator [requests:move:uncertain-resolved]',
    async (world) => {
      const start = (await world.wallet.read(world.accountId)).balanceMicros;
      const markedUncertain = async (): Promise<string> => {
        world.provider.script({ kind: 'unknown' });
        return assertRefused(await world.chat(), 502, 'request_failed')
          .at('request_id')
          .text();
      };
      const confirmed = await markedUncertain();
      const denied = await markedUncertain();
      const held = (await world.wallet.read(world.accountId)).reservedMicros;
      assert.ok(held > 0n);
      const charged = await world.admin.resolveOperation(confirmed, { executed: true, amountMicros: 30_000n });
      assert.equal(charged.kind, 'resolved');
      assert.equal((await world.wallet.read(world.accountId)).reservedMicros, held / 2n);
      assert.equal((await world.admin.resolveOperation(denied, { executed: false })).kind, 'resolved');
      const records = [await world.record(confirmed), await world.record(denied)];
      assert.deepEqual(
        records.map((record) => [record.at('status').value, ...credits(record)]),
        [
          ['completed', 0.03, 0],
          ['failed', 0, 0],
        ],
      );
      const { balanceMicros, reservedMicros } = await world.wallet.read(world.accountId);
      assert.deepEqual([start - balanceMicros, reservedMicros], [30_000n, 0n]);
    },
  ),
  gatewayCase(
    'registers and sets aside nothing where balance, price list or access is missing [requests:move:preparing-failed]',
    async (world) => {
      const accountId = await world.createAccount(0n);
      const projectId = await world.createProject(accountId);
      const poor = await world.createCaller({ projectId, model: suiteModel });
      assertRefused(await world.chat(undefined, { key: poor.key }), 402, 'ai_insufficient_credits');
      await world.wallet.deposit(accountId, 1_000_000_000n);
      await world.admin.setProjectStatus(projectId, 'paused');
      assertRefused(await world.chat(undefined, { key: poor.key }), 403, 'project_paused');
      await world.admin.setProjectStatus(projectId, 'active');
      const unpriced = await world.createCaller({ projectId, model: 'unpriced' });
      assertRefused(await world.chat(undefined, { key: unpriced.key }), 503, 'access_or_service_unavailable');
      assert.deepEqual(await world.admin.listOperations({ kind: 'account', accountId }), []);
      assert.deepEqual(await world.wallet.read(accountId), { balanceMicros: 1_000_000_000n, reservedMicros: 0n });
    },
    {
      catalog: [suiteRow({ id: suiteModel }), suiteRow({ id: 'unpriced' })],
      tariff: { version: 'suite-one-model', models: { [suiteModel]: suiteTariff.models['*'] ?? { perMillion: {} } } },
    },
  ),
  gatewayCase('shows only statuses of the request record', async (world) => {
    world.provider.script(
      { kind: 'answer' },
      { kind: 'unknown' },
      { kind: 'not_executed', reason: 'failed' },
      { kind: 'never' },
    );
    const ids = [];
    for (let turn = 0; turn < 3; turn += 1) ids.push(requestIdOf(await world.chat()));
    void world.chat().catch(() => {});
    await world.provider.received(4);
    const seen = new Set<unknown>();
    for (const { id } of await world.admin.listOperations({ kind: 'project', projectId: world.projectId }))
      seen.add((await world.record(id)).at('status').value);
    assert.deepEqual(
      [...seen].toSorted((one, other) => String(one).localeCompare(String(other))),
      ['completed', 'failed', 'processing', 'uncertain'],
    );
    for (const status of seen) assert.ok(requestStatuses.some((known) => known === status));
  }),
  gatewayCase('keeps records over a restart', async (world) => {
    const answer = await world.chat();
    await world.reopen();
    assert.deepEqual((await world.record(requestIdOf(answer))).at('response').value, okJson(answer).value);
  }),
];
