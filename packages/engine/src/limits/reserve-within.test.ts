import { expect, test } from 'vitest';
import { silentLogger } from '../ports/logger.ts';
import type { LimitVerdict, UsageLimiter } from '../ports/usage-limiter.ts';
import { countTokens } from './count-tokens.ts';
import { explainLimit } from './explain-limit.ts';
import { reserveWithin } from './reserve-within.ts';

const refusal = { kind: 'limited', level: 'key', amount: 'requests', limit: 6, retryAfterMs: 1_240 } as const;

const world = (reserve: UsageLimiter['reserve']) => {
  const logged: unknown[] = [];
  const timers = new Set<() => void>();
  const engine = {
    clock: {
      monotonicMs: () => 0,
      wallClockMs: () => 0,
      sleep: () => Promise.resolve(),
      after: (_: number, run: () => void) => {
        timers.add(run);
        return () => timers.delete(run);
      },
    },
    logger: { ...silentLogger, error: (_: string, fields?: object) => void logged.push(fields) },
    newId: () => 'question-1',
  };
  const access = { keyId: 'k1', projectId: 'p1', accountId: 'a1', requestId: 'r1' };
  const takes = { requests: 1, tokens: 7, concurrency: 1 } as const;
  const ask = (onFailure: 'refuse' | 'allow' = 'refuse') =>
    reserveWithin(engine, { limiter: { reserve }, ms: 5, onFailure }, { access, model: 'm', kind: 'chat', takes });
  return { ask, logged, runTimers: () => timers.forEach((run) => run()) };
};

// What the type forbids is what the test is about: plain JavaScript may return anything.
const untyped = (value: unknown): LimitVerdict => value as LimitVerdict;

test.each([
  [undefined],
  [null],
  [true],
  [{}],
  [{ kind: 'admitted' }],
  [{ kind: 'admitted', ticket: {} }],
  [{ ...refusal, level: 'planet' }],
  [{ ...refusal, amount: 'credits' }],
  [{ ...refusal, limit: 'six' }],
])('%j is no verdict, and admits no request by itself', async (value) => {
  const { ask, logged } = world(() => untyped(value));
  expect(await ask()).toMatchObject({ kind: 'refused', code: 'service_unavailable' });
  expect(logged).toMatchObject([{ code: 'limiter_failed', reason: 'nonsense', requestId: 'r1', keyId: 'k1' }]);
  expect(await ask('allow')).toBeNull();
});

test.each([Number.NaN, -1, 1e300, undefined])('a refusal counts although its wait is %j', async (retryAfterMs) => {
  const { ask } = world(() => untyped({ ...refusal, retryAfterMs }));
  expect(await ask()).toMatchObject({ kind: 'refused', code: 'rate_limited', retryAfterMs: 1_000 });
});

test('a limiter that rejects has failed', async () => {
  const { ask, logged } = world(() => Promise.reject(new Error('away')));
  expect(await ask()).toMatchObject({ code: 'service_unavailable' });
  expect(logged).toMatchObject([{ reason: 'threw' }]);
});

test('a place that is admitted too late is given back with all its tokens', async () => {
  const { promise: late, resolve: admit } = Promise.withResolvers<LimitVerdict>();
  const { ask, logged, runTimers } = world(() => late);
  const asked = ask();
  runTimers();
  expect(await asked).toMatchObject({ code: 'service_unavailable' });
  expect(logged).toMatchObject([{ reason: 'late' }]);
  const given: unknown[] = [];
  admit({ kind: 'admitted', ticket: { release: (used) => void given.push(used) } });
  await new Promise((resolve) => setImmediate(resolve));
  expect(given).toEqual([{ tokens: 0 }]);
});

test('a release that fails or hangs is logged, and holds up nothing', async () => {
  for (const release of [() => Promise.reject(new Error('away')), () => new Promise<void>(() => undefined)]) {
    const { ask, logged, runTimers } = world(() => ({ kind: 'admitted', ticket: { release } }));
    const place = await ask();
    if (place?.kind !== 'held') throw new Error('not admitted');
    const released = place.release(3);
    runTimers();
    await released;
    expect(logged).toMatchObject([{ code: 'limiter_failed', requestId: 'r1' }]);
  }
});

test('names the limit that was met, its bound, and when to come back', () => {
  const bounds = [refusal, { ...refusal, amount: 'tokens' }, { ...refusal, level: 'account', amount: 'concurrency' }];
  expect(bounds.map((bound) => explainLimit(bound as typeof refusal, 9))).toEqual([
    'The key has reached its limit of 6 requests a minute. Please try again in 1.3s.',
    'The key has reached its limit of 6 tokens a minute. Please try again in 1.3s.',
    'The account has reached its limit of 6 requests at once. Please try again in 1.3s.',
  ]);
});

test('counts all tokens of a call, and nothing else', () => {
  const quantities = [
    { unit: 'input_text_tokens', quantity: 10 },
    { unit: 'cached_input_tokens', quantity: 5 },
    { unit: 'output_text_tokens', quantity: 2 },
    { unit: 'thought_tokens', quantity: 1 },
    { unit: 'images', quantity: 100 },
    { unit: 'output_image_tokens', quantity: Infinity },
    { unit: 'a unit of yesterday', quantity: 1_000 },
  ];
  expect(countTokens(quantities)).toBe(18);
});
