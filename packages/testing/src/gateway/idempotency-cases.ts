import assert from 'node:assert/strict';
import { assertRefused, okJson, requestIdOf } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { greeting, type GatewayWorld } from './gateway-world.ts';
import { suiteModel } from './suite-tariff.ts';

const day = 86_400_000;
const other = { messages: [{ role: 'user', content: 'Another question' }] };
const identified = (identity: string) => ({ headers: { 'idempotency-key': identity } });
const once = identified('once');

const executions = (world: GatewayWorld): number => world.provider.calls.length;

/** Repeats of one request. */
export const idempotencyCases: readonly GatewayCase[] = [
  gatewayCase('executes each call anew without an identity, and once with one', async (world) => {
    const ids = [requestIdOf(await world.chat()), requestIdOf(await world.chat())];
    assert.notEqual(ids[0], ids[1]);
    assert.equal(executions(world), 2);
    const same = [requestIdOf(await world.chat(greeting, once)), requestIdOf(await world.chat(greeting, once))];
    assert.equal(same[0], same[1]);
    assert.equal(executions(world), 3);
  }),
  gatewayCase('takes identities of 1 to 128 characters [idempotency:header:length]', async (world) => {
    for (const identity of ['a', 'b'.repeat(128)]) okJson(await world.chat(greeting, identified(identity)));
    for (const identity of ['', 'c'.repeat(129)])
      assertRefused(await world.chat(greeting, identified(identity)), 422, 'invalid_idempotency_key');
    assert.equal(executions(world), 2);
  }),
  gatewayCase('takes identities of printable ASCII without spaces [idempotency:header:charset]', async (world) => {
    const printable = Array.from({ length: 0x7e - 0x21 + 1 }, (_, index) => String.fromCharCode(0x21 + index)).join('');
    okJson(await world.chat(greeting, identified(printable)));
    for (const identity of ['a b', 'a\tb', 'é', 'a\u00a0b'])
      assertRefused(await world.chat(greeting, identified(identity)), 422, 'invalid_idempotency_key');
    assert.equal(executions(world), 1);
  }),
  gatewayCase('gives a completed answer again, byte for byte [idempotency:replay:equal-answer]', async (world) => {
    const first = await world.chat(greeting, once);
    world.time.advance(3_600_000);
    const again = await world.chat(greeting, once);
    assert.equal(okJson(first).value === null, false);
    assert.equal(again.text, first.text);
    assert.equal(requestIdOf(again), requestIdOf(first));
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
  }),
  gatewayCase('neither executes nor charges a repeat [idempotency:replay:no-execution]', async (world) => {
    okJson(await world.chat(greeting, once));
    const wallet = await world.wallet.read(world.accountId);
    const entries = await world.admin.readStatement(world.accountId);
    for (let time = 0; time < 3; time += 1) okJson(await world.chat(greeting, once));
    assert.equal(executions(world), 1);
    assert.deepEqual(await world.wallet.read(world.accountId), wallet);
    assert.deepEqual(await world.admin.readStatement(world.accountId), entries);
  }),
  gatewayCase('gives a stream again as a stream [idempotency:replay:stream]', async (world) => {
    const body = { ...greeting, stream: true, stream_options: { include_usage: true } };
    const first = await world.chat(body, once);
    const again = await world.chat(body, once);
    assert.equal(first.status, 200);
    assert.equal(again.text, first.text);
    assert.equal(again.headers.get('content-type'), first.headers.get('content-type'));
    assert.equal(executions(world), 1);
  }),
  gatewayCase('gives an answer again after a restart', async (world) => {
    const first = await world.chat(greeting, once);
    await world.reopen();
    assert.equal((await world.chat(greeting, once)).text, first.text);
    assert.equal(executions(world), 1);
  }),
  gatewayCase('refuses another body under one identity [idempotency:conflict:refused]', async (world) => {
    okJson(await world.chat(greeting, once));
    assertRefused(await world.chat(other, once), 409, 'ai_idempotency_conflict');
    assert.equal(executions(world), 1);
  }),
  gatewayCase('still recovers by the original body after a conflict [idempotency:conflict:recovers]', async (world) => {
    const first = await world.chat(greeting, once);
    assertRefused(await world.chat(other, once), 409, 'ai_idempotency_conflict');
    assert.equal((await world.chat(greeting, once)).text, first.text);
  }),
  gatewayCase('compares the exact bytes of bodies [idempotency:body:exact-bytes]', async (world) => {
    const text = '{"messages":[{"role":"user","content":"Hello"}],"temperature":1}';
    okJson(await world.chat(text, once));
    for (const same of [
      '{"messages":[{"role":"user","content":"Hello"}], "temperature":1}',
      '{"temperature":1,"messages":[{"role":"user","content":"Hello"}]}',
      `${text}\n`,
      text.replace(':1}', ':1.0}'),
    ])
      assertRefused(await world.chat(same, once), 409, 'ai_idempotency_conflict');
    assert.equal((await world.chat(text, once)).headers.get('idempotency-replayed'), 'true');
  }),
  gatewayCase('leaves the query out of the comparison', async (world) => {
    const first = await world.send({ path: '/chat/completions', body: greeting, ...once });
    const again = await world.send({ path: '/chat/completions?trace=1', body: greeting, ...once });
    assert.equal(again.text, first.text);
    assert.equal(executions(world), 1);
  }),
  gatewayCase('scopes idempotency keys to the project [idempotency:scope:project]', async (world) => {
    const first = await world.chat(greeting, once);
    const sibling = await world.createCaller({ projectId: world.projectId, model: suiteModel });
    assert.equal((await world.chat(greeting, { ...once, key: sibling.key })).text, first.text);
    const foreign = await world.createCaller({
      projectId: await world.createProject(world.accountId),
      model: suiteModel,
    });
    const own = await world.chat(greeting, { ...once, key: foreign.key });
    assert.equal(okJson(own).at('service', 'project_id').value, foreign.projectId);
    assert.equal(own.headers.get('idempotency-replayed'), 'false');
    assert.equal(executions(world), 2);
  }),
  gatewayCase('refuses a repeat while the first still runs [idempotency:running:refused]', async (world) => {
    const { promise: until, resolve } = Promise.withResolvers<void>();
    world.provider.script({ kind: 'wait', until, next: { kind: 'answer' } });
    const asked = world.chat(greeting, once);
    await world.provider.received(1);
    const error = assertRefused(await world.chat(greeting, once), 409, 'request_in_progress');
    resolve();
    assert.equal(error.at('request_id').value, requestIdOf(await asked));
    assert.equal(executions(world), 1);
  }),
  gatewayCase('executes one of many simultaneous requests [idempotency:concurrency:one-execution]', async (world) => {
    const before = await world.wallet.read(world.accountId);
    const answers = await Promise.all(Array.from({ length: 20 }, () => world.chat(greeting, once)));
    for (const answer of answers) if (answer.status !== 200) assertRefused(answer, 409, 'request_in_progress');
    const completed = answers.filter(({ status }) => status === 200);
    assert.ok(completed.length > 0);
    assert.equal(completed.filter(({ headers }) => headers.get('idempotency-replayed') === 'false').length, 1);
    assert.equal(new Set(answers.map(requestIdOf)).size, 1);
    assert.equal(executions(world), 1);
    const after = await world.wallet.read(world.accountId);
    assert.equal(before.balanceMicros - after.balanceMicros, 20_000n);
  }),
  gatewayCase(
    'refuses a repeat of what failed, and runs it under a new identity [idempotency:failed:refused]',
    async (world) => {
      world.provider.script({ kind: 'not_executed', reason: 'failed' });
      const failed = assertRefused(await world.chat(greeting, once), 502, 'request_failed');
      const repeat = assertRefused(await world.chat(greeting, once), 409, 'previous_request_failed');
      assert.equal(repeat.at('request_id').value, failed.at('request_id').value);
      okJson(await world.chat(greeting, identified('again')));
      assert.equal(executions(world), 2);
    },
  ),
  gatewayCase('refuses a repeat of what is uncertain [idempotency:uncertain:refused]', async (world) => {
    world.provider.script({ kind: 'unknown' });
    const first = assertRefused(await world.chat(greeting, once), 502, 'request_failed');
    const repeat = assertRefused(await world.chat(greeting, once), 409, 'settlement_pending');
    assert.equal(repeat.at('request_id').value, first.at('request_id').value);
    assert.equal(executions(world), 1);
  }),
  gatewayCase('uses up no identity on a refusal [idempotency:refused:not-consumed]', async (world) => {
    const accountId = await world.createAccount(0n);
    const projectId = await world.createProject(accountId);
    const poor = await world.createCaller({ projectId, model: suiteModel });
    const ask = { ...once, key: poor.key };
    assertRefused(await world.chat('{', ask), 400, 'invalid_json');
    assertRefused(await world.chat({ ...greeting, temperature: 3 }, ask), 422, 'invalid_temperature');
    await world.admin.setKeyStatus(poor.keyId, 'inactive');
    assertRefused(await world.chat(greeting, ask), 401, 'ai_key_inactive');
    await world.admin.setKeyStatus(poor.keyId, 'active');
    await world.admin.setProjectStatus(projectId, 'paused');
    assertRefused(await world.chat(greeting, ask), 403, 'project_paused');
    await world.admin.setProjectStatus(projectId, 'active');
    assertRefused(await world.chat(greeting, ask), 402, 'ai_insufficient_credits');
    assert.deepEqual(await world.admin.listOperations({ kind: 'project', projectId }), []);
    await world.wallet.deposit(accountId, 1_000_000_000n);
    // Of a caller who cannot pay, no large body is read.
    assertRefused(await world.chat('x'.repeat(2_000_001), ask), 413, 'body_too_large');
    const answer = await world.chat(greeting, ask);
    okJson(answer);
    assert.equal(answer.headers.get('idempotency-replayed'), 'false');
    assert.equal(executions(world), 1);
  }),
  gatewayCase(
    'says that an answer has expired, and does not execute again [idempotency:replay:purged]',
    async (world) => {
      const id = requestIdOf(await world.chat(greeting, once));
      world.time.advance(7 * day + 1);
      await world.runJobs();
      const error = assertRefused(await world.chat(greeting, once), 409, 'result_expired');
      assert.equal(error.at('request_id').value, id);
      assert.equal(executions(world), 1);
    },
  ),
  gatewayCase('remembers identities for 29 days and longer [idempotency:retention]', async (world) => {
    okJson(await world.chat(greeting, once));
    for (let days = 0; days < 29; days += 7) {
      world.time.advance((days + 7 > 29 ? 29 - days : 7) * day);
      await world.runJobs();
    }
    assertRefused(await world.chat(greeting, once), 409, 'result_expired');
    assertRefused(await world.chat(other, once), 409, 'ai_idempotency_conflict');
    assert.equal(executions(world), 1);
  }),
];
