import { UnknownOutcome, type Attempt } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { createEngineWorld, idOf } from '../../test/engine-world.ts';
import { keptAttempt, leastRecords, noteUsageAtLeast } from './kept-attempt.ts';

const lost: Attempt = { startedAtMs: 1, durationMs: 2, status: 200, outcome: 'unknown', upstreamId: 'req_1' };
const input = { unit: 'input_text_tokens', quantity: 50_000, confirmed: false } as const;

test('keeps what an upstream calls a request, and nothing that could not be printed', () => {
  expect(keptAttempt('called', { ...lost, answerId: 'chatcmpl-1' })).toEqual({
    ...lost,
    provider: 'called',
    answerId: 'chatcmpl-1',
  });
  const forged = keptAttempt('called', { ...lost, upstreamId: 'req\n1', answerId: 'x'.repeat(1_000) });
  expect(forged).not.toHaveProperty('upstreamId');
  expect(forged).not.toHaveProperty('answerId');
});

test('keeps no member of an attempt that it does not know', () => {
  expect(keptAttempt('called', Object.assign({ ...lost }, { prompt: 'words of a client' }))).not.toHaveProperty(
    'prompt',
  );
});

test('adds lower bounds up by unit, and keeps none that is no count', () => {
  expect(leastRecords([input, { ...input, quantity: 1 }, { ...input, unit: 'images', quantity: Number.NaN }])).toEqual([
    { unit: 'input_text_tokens', quantity: 50_001 },
  ]);
  expect(leastRecords([{ ...input, quantity: 0 }])).toBeNull();
});

test('keeps on record what an execution used at the least before its outcome was lost', async () => {
  const world = await createEngineWorld();
  const outcome = await world.run({
    execute: ({ recordAttempt }) => {
      recordAttempt({ ...lost, status: 503, outcome: 'refused' });
      recordAttempt(lost);
      return Promise.reject(new UnknownOutcome('connection_lost', undefined, [input]));
    },
  });
  const usageAtLeast = [{ unit: 'input_text_tokens', quantity: 50_000 }];
  const operation = await world.admin.readOperation(idOf(outcome));
  expect(operation).toMatchObject({ state: 'uncertain', usage: null, usageAtLeast });
  expect(operation?.attempts.map((attempt) => attempt.usageAtLeast)).toEqual([undefined, usageAtLeast]);
});

test('keeps what an answer was measured to be that could not be written down', async () => {
  const world = await createEngineWorld();
  const outcome = await world.run({
    execute: async () => 5,
    answer: () => {
      throw new Error('no answer can be made of it');
    },
  });
  expect(await world.admin.readOperation(idOf(outcome))).toMatchObject({
    state: 'uncertain',
    usageAtLeast: [{ unit: 'input_text_tokens', quantity: 5 }],
  });
});

test('keeps that an attempt was abandoned, and what it used', () => {
  const usageAtLeast = [{ unit: 'input_text_tokens', quantity: 50_000 }];
  expect(keptAttempt('called', { ...lost, abandoned: true, usageAtLeast: [input] })).toEqual({
    ...lost,
    provider: 'called',
    abandoned: true,
    usageAtLeast,
  });
  expect(keptAttempt('called', { ...lost, abandoned: false, usageAtLeast: [] })).toEqual({
    ...lost,
    provider: 'called',
  });
});

test('notes what an abandoned attempt says of itself once', () => {
  const attempts = [
    keptAttempt('called', lost),
    keptAttempt('called', { ...lost, abandoned: true, usageAtLeast: [input] }),
  ];
  noteUsageAtLeast(attempts, [input, { ...input, quantity: 7 }]);
  expect(attempts.map(({ usageAtLeast }) => usageAtLeast?.[0]?.quantity)).toEqual([7, 50_000]);
  noteUsageAtLeast(attempts, [input]);
  expect(attempts.map(({ usageAtLeast }) => usageAtLeast?.[0]?.quantity)).toEqual([7, 50_000]);
});
