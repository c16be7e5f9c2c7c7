import { isNotExecuted, type CallContext, type GenerationCall, type Provider } from '@tollgate/provider';
import { sampleCaller, scriptedProvider } from '@tollgate/testing/fakes';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { balance } from './balance.ts';
import { createTurns } from './turns.ts';

const call: GenerationCall = {
  operationId: 'operation',
  upstreamModel: 'model',
  systemInstruction: null,
  contents: [],
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: {},
  outputTokensMax: 100,
};

const run = async (provider: Provider): Promise<readonly (string | undefined)[]> => {
  const asked: (string | undefined)[] = [];
  const context: CallContext = {
    caller: sampleCaller,
    signal: new AbortController().signal,
    recordAttempt: (attempt) => void asked.push(attempt.provider),
  };
  await provider.generate?.(call, context).catch((failure: unknown) => {
    if (!isNotExecuted(failure)) throw failure;
  });
  return asked;
};

test('spreads calls smoothly by weight', async () => {
  const provider = balance([
    { provider: scriptedProvider({ name: 'a' }), weight: 3 },
    { provider: scriptedProvider({ name: 'b' }) },
  ]);
  const asked: (string | undefined)[] = [];
  for (let count = 0; count < 8; count += 1) asked.push(...(await run(provider)));
  expect(asked.join('')).toBe('aabaaaba');
});

const dead = { kind: 'not_executed', reason: 'unavailable', sent: false } as const;

test('keeps a failure where it is not told to ask the others', async () => {
  const a = scriptedProvider({ name: 'a', otherwise: dead });
  const b = scriptedProvider({ name: 'b' });
  expect(await run(balance([{ provider: a }, { provider: b }]))).toEqual(['a']);
});

test('asks the others by turns where it is asked to', async () => {
  const provider = balance(
    [
      { provider: scriptedProvider({ name: 'a', otherwise: dead }), weight: 2 },
      { provider: scriptedProvider({ name: 'b' }) },
    ],
    { fallback: true },
  );
  expect([await run(provider), await run(provider)]).toEqual([['a', 'b'], ['b']]);
});

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('takes no weight of %s', (weight) => {
  expect(() => balance([{ provider: scriptedProvider(), weight }])).toThrow('a weight is positive');
});

test('gives everyone the exact share in any run as long as the sum of the weights', () => {
  const weights = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(weights, fc.nat(40), (given, skipped) => {
      const turns = createTurns(given.map((weight, item) => ({ item, weight })));
      const next = (): number | undefined => turns.next('', () => true)[0];
      const sum = given.reduce((total, weight) => total + weight, 0);
      // Whole rounds leave everyone as they were; a run may begin anywhere in the first round only.
      for (let count = 0; count < Math.floor(skipped / sum) * sum; count += 1) next();
      const counts = given.map(() => 0);
      for (let count = 0; count < sum; count += 1) {
        const item = next() ?? 0;
        counts[item] = (counts[item] ?? 0) + 1;
      }
      expect(counts).toEqual(given);
    }),
  );
});

test('names everyone eligible once in each turn', () => {
  const eligible = fc.array(fc.boolean(), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(eligible, { maxLength: 20 }), (rounds) => {
      const turns = createTurns([0, 1, 2].map((item) => ({ item, weight: item + 1 })));
      for (const round of rounds) {
        const order = turns.next('', (item) => round[item] === true);
        expect(order.toSorted((a, b) => a - b)).toEqual([0, 1, 2].filter((item) => round[item]));
      }
    }),
  );
});
