import { usageUnits } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { tokenSums } from './token-sums.ts';

test('input includes what was read from a cache and written to one, output includes reasoning', () => {
  const usage = [
    { unit: 'input_text_tokens', quantity: 10 },
    { unit: 'input_image_tokens', quantity: 3 },
    { unit: 'cached_input_tokens', quantity: 100 },
    { unit: 'cache_write_input_tokens', quantity: 20 },
    { unit: 'cache_write_hour_input_tokens', quantity: 5 },
    { unit: 'output_text_tokens', quantity: 7 },
    { unit: 'thought_tokens', quantity: 40 },
    { unit: 'images', quantity: 9 },
  ];
  expect(tokenSums(usage)).toEqual({ input: 138, output: 47, cacheRead: 100, cacheCreation: 25, reasoning: 40 });
});

test('counts each unit of tokens once, as input or as output', () => {
  const notOfCalls = new Set(['indexing_tokens']);
  for (const unit of usageUnits.filter((each) => each.endsWith('_tokens') && !notOfCalls.has(each))) {
    const { input, output } = tokenSums([{ unit, quantity: 1 }]);
    expect([unit, input + output]).toEqual([unit, 1]);
  }
});
