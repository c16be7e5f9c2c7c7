import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { anyAnswer } from './any-answer.ts';
import { assertRefused, assertTextError, okJson, requestIdOf } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { greeting, type GatewayWorld } from './gateway-world.ts';
import type { GatewaySettings, SuiteRateLimiter } from './gateway-under-test.ts';

const day = 86_400_000;

const limited: GatewaySettings = { limiter: () => Promise.resolve({ kind: 'limited', retryAfterMs: 2_500 }) };

type Limiter = SuiteRateLimiter;

/** Limiters that fail: plain JavaScript may answer anything. */
const failing = (limiter: () => unknown, more: GatewaySettings = {}): GatewaySettings => ({
  ...more,
  limiter: () => anyAnswer(limiter()),
});

const throwing = (): never => {
  throw new Error('the counter is away');
};

const nothingRegistered = async (world: GatewayWorld): Promise<void> => {
  assert.equal(world.provider.calls.length, 0);
  assert.deepEqual(await world.admin.listOperations({ kind: 'project', projectId: world.projectId }), []);
};

/** A limiter that never responds gets an aborted signal. */
const hanging = () => {
  const signals: AbortSignal[] = [];
  const limiter: Limiter = ({ signal }) => {
    signals.push(signal);
    return new Promise(() => undefined);
  };
  return { limiter, signals };
};
const hangs = hanging();
const hangsOpen = hanging();

/** Rates and retention. */
export const limitsCases: readonly GatewayCase[] = [
  gatewayCase('refuses no request for a rate without a limiter [limits:rate:none-by-default]', async (world) => {
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
  gatewayCase(
    'waits for a limiter that hangs no longer than configured, and refuses the request with 503',
    async (world) => {
      const before = hangs.signals.length;
      const sending = world.chat();
      while (hangs.signals.length === before) await setImmediate();
      assert.equal(hangs.signals.at(-1)?.aborted, false);
      world.time.advance(700);
      const answer = await sending;
      assertRefused(answer, 503, 'service_unavailable');
      assert.equal(answer.headers.get('retry-after'), '1');
      assert.equal(hangs.signals.at(-1)?.aborted, true);
      await nothingRegistered(world);
      assert.match(world.logged(), /the request was refused .*"code":"limiter_failed","reason":"late"/);
    },
    { limiter: hangs.limiter, limiterMs: 700 },
  ),
  gatewayCase(
    'lets a request through whose limiter hangs, where the host says so',
    async (world) => {
      const before = hangsOpen.signals.length;
      const sending = world.chat();
      while (hangsOpen.signals.length === before) await setImmediate();
      world.time.advance(1_000);
      assert.equal((await sending).status, 200);
      assert.match(world.logged(), /the request was let through .*"code":"limiter_failed","reason":"late"/);
    },
    { limiter: hangsOpen.limiter, onLimiterFailure: 'allow' },
  ),
  gatewayCase(
    'refuses a request whose limiter throws with 503, and logs it with a code',
    async (world) => {
      assertRefused(await world.chat(), 503, 'service_unavailable');
      await nothingRegistered(world);
      assert.match(world.logged(), /"code":"limiter_failed","reason":"threw"/);
    },
    failing(throwing),
  ),
  gatewayCase(
    'lets a request through whose limiter throws, where the host says so',
    async (world) => {
      assert.equal((await world.chat()).status, 200);
      assert.match(world.logged(), /was let through .*"reason":"threw"/);
    },
    failing(throwing, { onLimiterFailure: 'allow' }),
  ),
  gatewayCase(
    'takes an invalid result of a limiter for a failure, and admits no request by it',
    async (world) => {
      assertRefused(await world.chat(), 503, 'service_unavailable');
      await nothingRegistered(world);
      assert.match(world.logged(), /"code":"limiter_failed","reason":"nonsense"/);
    },
    failing(() => ({})),
  ),
  gatewayCase(
    'takes a limit without a time that can be meant for a limit of a second',
    async (world) => {
      const answer = await world.chat();
      assertRefused(answer, 429, 'rate_limited');
      assert.equal(answer.headers.get('retry-after'), '1');
    },
    failing(() => ({ kind: 'limited', retryAfterMs: 'soon' }), { onLimiterFailure: 'allow' }),
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
