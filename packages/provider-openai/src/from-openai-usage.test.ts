import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromOpenaiUsage } from './from-openai-usage.ts';

const read = (usage: unknown): unknown =>
  Object.fromEntries(fromOpenaiUsage(usage, true).map(({ unit, quantity }) => [unit, quantity]));

test('takes cached, audio and reasoning tokens out of the totals that hold them', () => {
  expect(
    read({
      prompt_tokens: 100,
      completion_tokens: 50,
      total_tokens: 150,
      prompt_tokens_details: { cached_tokens: 40, audio_tokens: 10, image_tokens: 5 },
      completion_tokens_details: { reasoning_tokens: 20, audio_tokens: 3 },
    }),
  ).toEqual({
    input_text_tokens: 45,
    cached_input_tokens: 40,
    input_audio_tokens: 10,
    input_image_tokens: 5,
    output_text_tokens: 27,
    thought_tokens: 20,
    output_audio_tokens: 3,
  });
});

test('counts thoughts that an upstream keeps out of its completion', () => {
  const details = { completion_tokens_details: { reasoning_tokens: 30 } };
  expect(read({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 45, ...details })).toEqual({
    input_text_tokens: 10,
    output_text_tokens: 5,
    thought_tokens: 30,
  });
  expect(read({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 45 })).toMatchObject({ thought_tokens: 30 });
});

test('reads the older name of cached tokens', () => {
  expect(read({ prompt_tokens: 10, completion_tokens: 1, prompt_cache_hit_tokens: 8 })).toMatchObject({
    input_text_tokens: 2,
    cached_input_tokens: 8,
  });
});

test('works a missing side out from the total', () => {
  expect(read({ completion_tokens: 4, total_tokens: 10 })).toEqual({ input_text_tokens: 6, output_text_tokens: 4 });
});

test('takes an explicit zero as a measurement', () => {
  expect(fromOpenaiUsage({ prompt_tokens: 0, completion_tokens: 0 }, true)).toEqual([
    { unit: 'input_text_tokens', quantity: 0, confirmed: true },
    { unit: 'output_text_tokens', quantity: 0, confirmed: true },
  ]);
});

test.each([
  null,
  undefined,
  [],
  {},
  { prompt_tokens: 5 },
  { total_tokens: 5 },
  { prompt_tokens: '5', completion_tokens: 1 },
  { prompt_tokens: -1, completion_tokens: 1 },
  { prompt_tokens: 1.5, completion_tokens: 1 },
  { prompt_tokens: 9, total_tokens: 5 },
])('measures nothing in %j', (usage) => {
  expect(fromOpenaiUsage(usage, true)).toEqual([]);
});

test('never counts a token twice, however the details contradict the totals', () => {
  const count = fc.nat(1_000);
  const details = fc.record({
    cached_tokens: count,
    audio_tokens: count,
    reasoning_tokens: count,
    image_tokens: count,
  });
  fc.assert(
    fc.property(count, count, fc.option(count), details, (prompt, completion, total, all) => {
      const usage = fromOpenaiUsage(
        {
          prompt_tokens: prompt,
          completion_tokens: completion,
          total_tokens: total,
          prompt_tokens_details: all,
          completion_tokens_details: all,
        },
        true,
      );
      const sum = usage.reduce((tokens, { quantity }) => tokens + quantity, 0);
      expect(sum).toBe(Math.max(prompt + completion, total ?? 0));
      expect(usage.every(({ quantity }) => quantity >= 0)).toBe(true);
      expect(new Set(usage.map(({ unit }) => unit)).size).toBe(usage.length);
    }),
  );
});
