import type { LevelLimits, LimitQuestion, LimitVerdict } from '@tollgate/engine';
import { describe, expect, test } from 'vitest';
import { memoryLimits, type MemoryLimitsOptions } from './memory-limits.ts';

const caller = { keyId: 'k1', projectId: 'p1', accountId: 'a1' };

type Asked = Partial<Omit<LimitQuestion, 'takes'>> & { readonly takes?: Partial<LimitQuestion['takes']> };

const world = (limits: LevelLimits | null, options: MemoryLimitsOptions = {}) => {
  let nowMs = 1_000_000;
  const limiter = memoryLimits({ monotonicMs: () => nowMs, ...options });
  const ask = ({ takes, ...asked }: Asked = {}): LimitVerdict => {
    const verdict = limiter.reserve({
      caller,
      limits,
      requestId: 'r',
      model: 'm',
      kind: 'chat',
      takes: { requests: 1, tokens: 0, concurrency: 1, ...takes },
      ...asked,
    });
    if (verdict instanceof Promise) throw new Error('the memory need not be waited for');
    return verdict;
  };
  const admit = (asked: Asked = {}) => {
    const verdict = ask(asked);
    if (verdict.kind !== 'admitted') throw new Error(`refused: ${JSON.stringify(verdict)}`);
    return verdict;
  };
  return { ask, admit, pass: (ms: number) => void (nowMs += ms) };
};

/** Asks with another key of the same account. */
const of = (keyId: string): Asked => ({ caller: { ...caller, keyId } });

const limitsOf = () => ({
  key: { requestsPerMinute: 1, concurrentRequests: 5 },
  project: { requestsPerMinute: 9 },
});

const refused = (verdict: LimitVerdict) => {
  if (verdict.kind === 'admitted') throw new Error('admitted');
  const { reports: _, ...rest } = verdict;
  return rest;
};

describe('requests a minute', () => {
  test('admits a burst, then as many as come back, and tells the wait of the next', () => {
    const { ask, admit, pass } = world({ key: { requestsPerMinute: 60 } });
    for (let index = 0; index < 60; index += 1) admit();
    expect(refused(ask())).toEqual({
      kind: 'limited',
      level: 'key',
      amount: 'requests',
      limit: 60,
      retryAfterMs: 1_000,
    });
    pass(999);
    expect(ask()).toMatchObject({ kind: 'limited', retryAfterMs: 1 });
    pass(1);
    admit();
    expect(ask().kind).toBe('limited');
  });

  test('admits no more than one burst beside the rate, in whatever window', () => {
    const { ask, pass } = world({ account: { requestsPerMinute: 600 } }, { requestsBurstMs: 5_000 });
    const admitted: number[] = [];
    for (let ms = 0; ms < 120_000; ms += 7) {
      if (ask().kind === 'admitted') admitted.push(ms);
      pass(7);
    }
    for (const [index, from] of admitted.entries()) {
      const within = admitted.filter((ms, other) => other >= index && ms <= from + 10_000).length;
      expect(within).toBeLessThanOrEqual(100 + 50 + 1);
    }
    expect(admitted.length).toBeGreaterThan(1_200);
  });

  test('counts a request without a burst one by one', () => {
    const { ask, admit, pass } = world({ key: { requestsPerMinute: 6 } }, { requestsBurstMs: 1 });
    admit();
    expect(ask()).toMatchObject({ retryAfterMs: 10_000 });
    pass(10_000);
    admit();
  });

  test('takes nothing of any limit for a request that one of them refuses', () => {
    const { ask, admit } = world({
      key: { requestsPerMinute: 1 },
      account: { requestsPerMinute: 3, concurrentRequests: 9 },
    });
    admit();
    for (let index = 0; index < 10; index += 1) expect(ask()).toMatchObject({ kind: 'limited', level: 'key' });
    const other = { caller: { ...caller, keyId: 'k2' } };
    admit(other);
    admit({ caller: { ...caller, keyId: 'k3' } });
    expect(ask({ caller: { ...caller, keyId: 'k4' } })).toMatchObject({ kind: 'limited', level: 'account', limit: 3 });
  });

  test('keeps callers apart', () => {
    const { ask, admit } = world({ project: { requestsPerMinute: 1 } });
    admit();
    expect(ask().kind).toBe('limited');
    admit({ caller: { ...caller, projectId: 'p2' } });
  });
});

describe('tokens a minute', () => {
  const limits = { key: { tokensPerMinute: 1_000 } };

  test('reserves the estimate, and gives back what was not used', () => {
    const { ask, admit } = world(limits);
    const { ticket } = admit({ takes: { tokens: 900 } });
    expect(ask({ takes: { tokens: 200 } })).toMatchObject({ kind: 'limited', amount: 'tokens', retryAfterMs: 6_000 });
    void ticket.release({ tokens: 100 });
    admit({ takes: { tokens: 900 } });
    expect(ask({ takes: { tokens: 1 } }).kind).toBe('limited');
  });

  test('gives back at most what was taken, however often a ticket is released', () => {
    const { ask, admit, pass } = world(limits);
    const { ticket } = admit({ takes: { tokens: 1_000 } });
    pass(600_000);
    for (let index = 0; index < 3; index += 1) void ticket.release({ tokens: 0 });
    admit({ takes: { tokens: 1_000 } });
    expect(ask({ takes: { tokens: 1 } }).kind).toBe('limited');
  });

  test('gives nothing of another request back, however often a ticket is released', () => {
    const { ask, admit } = world(limits);
    admit({ takes: { tokens: 500 } });
    const { ticket } = admit({ takes: { tokens: 500 } });
    for (let index = 0; index < 3; index += 1) void ticket.release({ tokens: 0 });
    admit({ takes: { tokens: 500 } });
    expect(ask({ takes: { tokens: 1 } }).kind).toBe('limited');
  });

  test('makes a debt of what was used beyond the estimate, which the next request waits for', () => {
    const { ask, admit, pass } = world(limits);
    void admit({ takes: { tokens: 100 } }).ticket.release({ tokens: 3_000 });
    expect(ask({ takes: { tokens: 1 } })).toMatchObject({ kind: 'limited', retryAfterMs: 120_060 });
    pass(120_060);
    admit({ takes: { tokens: 1 } });
  });

  test('keeps the estimate of a request whose use is unknown', () => {
    const { ask, admit } = world(limits);
    void admit({ takes: { tokens: 1_000 } }).ticket.release({ tokens: null });
    expect(ask({ takes: { tokens: 1 } }).kind).toBe('limited');
  });

  test('refuses for good what is more than the limit ever has', () => {
    const { ask } = world(limits);
    expect(refused(ask({ takes: { tokens: 1_001 } }))).toMatchObject({
      kind: 'too_large',
      amount: 'tokens',
      limit: 1_000,
    });
  });
});

describe('requests at once', () => {
  test('admits so many, and the next when one has ended', () => {
    const { ask, admit } = world({ key: { concurrentRequests: 2 } }, { concurrencyRetryMs: 300 });
    const first = admit();
    admit();
    expect(refused(ask())).toEqual({
      kind: 'limited',
      level: 'key',
      amount: 'concurrency',
      limit: 2,
      retryAfterMs: 300,
    });
    void first.ticket.release({ tokens: 0 });
    void first.ticket.release({ tokens: 0 });
    admit();
    expect(ask().kind).toBe('limited');
  });

  test('admits the next when one has ended whose use is unknown', () => {
    const { admit } = world({ key: { concurrentRequests: 1 } });
    void admit().ticket.release({ tokens: null });
    expect(admit().kind).toBe('admitted');
  });

  test('counts no place for what takes none', () => {
    const { admit } = world({ key: { concurrentRequests: 1 } });
    admit();
    expect(admit({ takes: { concurrency: 0 } }).kind).toBe('admitted');
  });
});

describe('what a caller reads', () => {
  test('is the rest of each limit and when all of it is back', () => {
    const { admit } = world({
      key: { requestsPerMinute: 60, tokensPerMinute: 1_000 },
      account: { requestsPerMinute: 120 },
    });
    expect(admit({ takes: { tokens: 250 } }).reports).toEqual([
      { level: 'key', amount: 'requests', limit: 60, remaining: 59, resetMs: 1_000 },
      { level: 'key', amount: 'tokens', limit: 1_000, remaining: 750, resetMs: 15_000 },
      { level: 'account', amount: 'requests', limit: 120, remaining: 119, resetMs: 500 },
    ]);
  });
});

describe('the limits of a caller', () => {
  test('come from its records, and from the function of the host where those hold none', () => {
    const { admit } = world({ key: { requestsPerMinute: 7 } }, { limitsOf });
    expect(admit().reports).toMatchObject([
      { level: 'key', limit: 7 },
      { level: 'project', limit: 9 },
    ]);
  });

  test('are none where neither names any', () => {
    const { admit } = world(null, { limitsOf: () => null });
    expect(admit({ takes: { tokens: 1e9 } }).reports).toEqual([]);
  });

  test.each([0, -1, 1.5, Number.NaN])('are refused when one is %d', (requestsPerMinute) => {
    const { ask } = world({ key: { requestsPerMinute } });
    expect(() => ask()).toThrow('accepted is a whole number from 1');
  });

  test.each<[what: string, returned: unknown, message: string]>([
    [
      'misspells a limit',
      { key: { requestPerMinute: 5 } },
      'the result of limitsOf.key.requestPerMinute is not known; accepted are requestsPerMinute, tokensPerMinute and concurrentRequests; the nearest is requestsPerMinute',
    ],
    [
      'names an unknown level',
      { keys: {} },
      'the result of limitsOf.keys is not known; accepted are key, project and account; the nearest is key',
    ],
    ['is async', Promise.resolve({ key: { requestsPerMinute: 5 } }), 'the result of limitsOf is a promise; await it'],
    ['returns a level later', { key: Promise.resolve({}) }, 'the result of limitsOf.key is a promise; await it'],
    ['returns a map', new Map([['key', { requestsPerMinute: 5 }]]), 'the result of limitsOf is an object'],
    ['returns a list', [], 'the result of limitsOf is a list of 0 entries'],
    ['returns the name of a plan', 'pro', 'the result of limitsOf is the text "pro"'],
    ['returns a number for a level', { account: 5 }, 'the result of limitsOf.account is 5'],
  ])('are refused when the function of the host %s', (_, returned, message) => {
    // What the type forbids is what the test is about: plain JavaScript may return anything.
    const { ask } = world(null, { limitsOf: () => returned as LevelLimits });
    expect(() => ask()).toThrow(message);
  });

  test('are refused when the function of the host is async and rejects, which ends no process', () => {
    // What the type forbids is what the test is about: plain JavaScript may return anything.
    const { ask } = world(null, {
      limitsOf: (() => Promise.reject(new Error('away'))) as unknown as () => LevelLimits,
    });
    expect(() => ask()).toThrow('the result of limitsOf is a promise; await it');
  });

  test('come from any object that has none but their names', () => {
    class Plan {
      readonly key = { requestsPerMinute: 1 };
    }
    for (const returned of [new Plan(), Object.create(null, { key: { value: new Plan().key, enumerable: true } })]) {
      const { ask, admit } = world(null, { limitsOf: () => returned as LevelLimits });
      admit();
      expect(ask().kind).toBe('limited');
    }
    for (const returned of [{}, { key: {} }, { key: null, project: undefined }])
      world(null, { limitsOf: () => returned }).admit();
  });
});

test('forgets the caller that was idle for longest, and never one with a request that runs', () => {
  const { ask, admit } = world({ key: { requestsPerMinute: 1 } }, { bucketsMax: 2 });
  admit(of('k1'));
  admit(of('k2'));
  expect(ask(of('k1')).kind).toBe('limited');
  admit(of('k3'));
  expect(ask(of('k1')).kind).toBe('limited');
  admit(of('k2'));

  const running = world({ key: { concurrentRequests: 1 } }, { bucketsMax: 1 });
  running.admit(of('k1'));
  running.admit(of('k2'));
  expect(running.ask(of('k1')).kind).toBe('limited');
});
