import { expect, test } from 'vitest';
import { addQuantities, readInputQuantities, readQuantities, toUsage } from './from-anthropic-usage.ts';

const read = (usage: unknown): object => Object.fromEntries(readQuantities(usage));

test('reads input beside what was read from a cache and written into one', () => {
  expect(
    read({
      input_tokens: 10,
      cache_read_input_tokens: 200,
      cache_creation_input_tokens: 70,
      cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 50 },
      output_tokens: 30,
    }),
  ).toEqual({
    input_text_tokens: 10,
    cached_input_tokens: 200,
    cache_write_input_tokens: 20,
    cache_write_hour_input_tokens: 50,
    output_text_tokens: 30,
  });
});

test('takes what was written into a cache for the shorter time where the time is not said', () => {
  expect(read({ input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 7 })).toEqual({
    input_text_tokens: 1,
    cache_write_input_tokens: 7,
    output_text_tokens: 1,
  });
});

test('parts thoughts from the rest of the output, and counts the tools of the upstream', () => {
  expect(
    read({
      input_tokens: 1,
      output_tokens: 30,
      output_tokens_details: { thinking_tokens: 20 },
      server_tool_use: { web_search_requests: 3, web_fetch_requests: 2 },
    }),
  ).toEqual({
    input_text_tokens: 1,
    output_text_tokens: 10,
    thought_tokens: 20,
    web_search_queries: 3,
    url_fetches: 2,
  });
});

test.each([undefined, null, 7, {}, { input_tokens: 1 }, { output_tokens: 1 }, { input_tokens: -1, output_tokens: 1 }])(
  'measures nothing by %j',
  (usage) => {
    expect(read(usage)).toEqual({});
  },
);

test('takes an explicit zero for a measurement', () => {
  expect(toUsage(readQuantities({ input_tokens: 0, output_tokens: 0 }), true)).toEqual([
    { unit: 'input_text_tokens', quantity: 0, confirmed: true },
    { unit: 'output_text_tokens', quantity: 0, confirmed: true },
  ]);
});

test('reads the input alone of a message that has just begun', () => {
  const usage = { input_tokens: 9, cache_read_input_tokens: 4, output_tokens: 3 };
  expect(Object.fromEntries(readInputQuantities(usage))).toEqual({ input_text_tokens: 9, cached_input_tokens: 4 });
});

test('adds up the requests of one answer', () => {
  const one = readQuantities({ input_tokens: 1, output_tokens: 2 });
  const other = readQuantities({ input_tokens: 10, output_tokens: 20, cache_read_input_tokens: 5 });
  expect(Object.fromEntries(addQuantities(one, other))).toEqual({
    input_text_tokens: 11,
    output_text_tokens: 22,
    cached_input_tokens: 5,
  });
});
