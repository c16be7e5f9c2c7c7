import assert from 'node:assert/strict';
import { assertRefused, assertTextError, okJson, requestIdOf } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { greeting } from './gateway-world.ts';
import type { GatewaySettings } from './gateway-under-test.ts';

const day = 86_400_000;

const limited: GatewaySettings = { limiter: () => Promise.resolve({ kind: 'limited', retryAfterMs: 2_500 }) };

/** Rates and retention. */
export const limitsCases: readonly GatewayCase[] = [
  gatewayCase('refuses nobody for a rate without a limiter [limits:rate:none-by-default]', async (world) => {
    await world.wallet.deposit(world.accountId, 100_000_000_000n);
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        index % 10 === 0 ? world.chat() : world.send({ path: '/models/nope' }),
      ),
    );
    for (const { status } of answers) assert.ok(status === 200 || status === 404);
  }),
  gatewayCase(
    "answers 429 with Retry-After when the host's limiter refuses [limits:rate:429]",
    async (world) => {
      const answer = await world.chat();
      assertRefused(answer, 429, 'rate_limited');
      assert.equal(answer.headers.get('retry-after'), '3');
      assertTextError(await world.send({ path: '/models' }), 429);
    },
    limited,
  ),
  gatewayCase(
    'registers nothing of a call that is limited [limits:rate:unregistered]',
    async (world) => {
      const before = await world.wallet.read(world.accountId);
      const error = assertRefused(
        await world.chat(greeting, { headers: { 'idempotency-key': 'limited' } }),
        429,
        'rate_limited',
      );
      assert.equal(error.at('request_id').value, undefined);
      assert.equal(world.provider.calls.length, 0);
      assert.deepEqual(await world.wallet.read(world.accountId), before);
      assert.deepEqual(await world.admin.listOperations({ kind: 'project', projectId: world.projectId }), []);
    },
    limited,
  ),
  gatewayCase('answers 503 with Retry-After when the provider is asked too often', async (world) => {
    world.provider.script({ kind: 'not_executed', reason: 'rate_limited', retryAfterMs: 3_000 });
    const answer = await world.chat();
    assertRefused(answer, 503, 'service_unavailable');
    assert.equal(answer.headers.get('retry-after'), '3');
  }),
  gatewayCase('keeps records at least 30 days and answers 7 [limits:retention:requests]', async (world) => {
    const answer = await world.chat();
    const id = requestIdOf(answer);
    world.time.advance(day);
    await world.runJobs();
    assert.deepEqual((await world.record(id)).at('response').value, okJson(answer).value);
    world.time.advance(6 * day + 1);
    await world.runJobs();
    const kept = await world.record(id);
    assert.deepEqual([kept.at('status').value, kept.at('response').value], ['completed', null]);
    world.time.advance(23 * day - 2);
    await world.runJobs();
    assert.equal((await world.record(id)).at('charged_credits').value, 0.02);
    world.time.advance(365 * day);
    await world.runJobs();
    const { balanceMicros } = await world.wallet.read(world.accountId);
    assert.equal(balanceMicros, 1_000_000_000n - 20_000n);
  }),
];
