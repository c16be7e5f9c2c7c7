import { expect, test } from 'vitest';
import { fromGoogleUsage, fromTokenCount, inputTokensOf, outputTokensOf, toUsage } from './from-google-usage.ts';

const units = (usage: unknown): unknown => {
  const quantities = fromGoogleUsage(usage);
  return quantities === undefined ? undefined : Object.fromEntries(quantities);
};

const detail = (modality: string, tokenCount: number): object => ({ modality, tokenCount });

test.each([
  [
    'text alone',
    { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
    { input_text_tokens: 10, output_text_tokens: 5 },
  ],
  [
    'every modality of the prompt',
    {
      promptTokenCount: 100,
      candidatesTokenCount: 5,
      totalTokenCount: 105,
      promptTokensDetails: [
        detail('TEXT', 10),
        detail('IMAGE', 20),
        detail('AUDIO', 30),
        detail('VIDEO', 25),
        detail('DOCUMENT', 15),
      ],
    },
    {
      input_text_tokens: 10,
      input_image_tokens: 20,
      input_audio_tokens: 30,
      input_video_tokens: 25,
      input_document_tokens: 15,
      output_text_tokens: 5,
    },
  ],
  [
    'cached input by modality',
    {
      promptTokenCount: 100,
      cachedContentTokenCount: 50,
      candidatesTokenCount: 5,
      totalTokenCount: 105,
      promptTokensDetails: [detail('TEXT', 60), detail('VIDEO', 40)],
      cacheTokensDetails: [detail('TEXT', 20), detail('VIDEO', 30)],
    },
    {
      input_text_tokens: 40,
      input_video_tokens: 10,
      cached_input_tokens: 20,
      cached_video_tokens: 30,
      output_text_tokens: 5,
    },
  ],
  [
    'cached input without modalities, which is text first',
    {
      promptTokenCount: 100,
      cachedContentTokenCount: 70,
      candidatesTokenCount: 5,
      totalTokenCount: 105,
      promptTokensDetails: [detail('TEXT', 60), detail('IMAGE', 40)],
    },
    { input_text_tokens: 0, input_image_tokens: 30, cached_input_tokens: 70, output_text_tokens: 5 },
  ],
  [
    'pictures and speech that come out',
    {
      promptTokenCount: 1,
      candidatesTokenCount: 1_300,
      totalTokenCount: 1_301,
      candidatesTokensDetails: [detail('IMAGE', 1_290), detail('AUDIO', 8)],
    },
    { input_text_tokens: 1, output_text_tokens: 2, output_image_tokens: 1_290, output_audio_tokens: 8 },
  ],
  [
    'thoughts and the input of tools beside the rest',
    {
      promptTokenCount: 10,
      candidatesTokenCount: 5,
      thoughtsTokenCount: 7,
      toolUsePromptTokenCount: 3,
      totalTokenCount: 25,
    },
    { input_text_tokens: 10, output_text_tokens: 5, thought_tokens: 7, tool_use_input_tokens: 3 },
  ],
  [
    'thoughts that only the total counts',
    { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 40 },
    { input_text_tokens: 10, output_text_tokens: 5, thought_tokens: 25 },
  ],
  [
    'a refused prompt, whose zero of candidates is left out',
    { promptTokenCount: 10, totalTokenCount: 10 },
    { input_text_tokens: 10, output_text_tokens: 0 },
  ],
  ['an explicit zero', { totalTokenCount: 0 }, { input_text_tokens: 0, output_text_tokens: 0 }],
  [
    'details that exceed their total, which are cut',
    {
      promptTokenCount: 10,
      candidatesTokenCount: 5,
      totalTokenCount: 15,
      promptTokensDetails: [detail('IMAGE', 8), detail('TEXT', 8)],
    },
    { input_text_tokens: 2, input_image_tokens: 8, output_text_tokens: 5 },
  ],
  [
    'a modality that nobody knows, which is text',
    {
      promptTokenCount: 10,
      candidatesTokenCount: 5,
      totalTokenCount: 15,
      promptTokensDetails: [detail('SMELL', 8), detail('TEXT', 2)],
    },
    { input_text_tokens: 10, output_text_tokens: 5 },
  ],
])('reads %s', (_, usage, expected) => {
  expect(units(usage)).toEqual(expected);
});

test.each([
  undefined,
  null,
  'usage',
  {},
  { promptTokenCount: 10 },
  { totalTokenCount: 10 },
  { totalTokenCount: -1 },
  { totalTokenCount: 1.5 },
])('takes %o for no measurement', (usage) => {
  expect(units(usage)).toBeUndefined();
});

test('sums to the total whatever the parts say', () => {
  const total = { promptTokenCount: 90, cachedContentTokenCount: 200, candidatesTokenCount: 9, totalTokenCount: 99 };
  const quantities = fromGoogleUsage({ ...total, cacheTokensDetails: [detail('AUDIO', 300)] });
  expect(Object.fromEntries(quantities ?? [])).toEqual({
    input_text_tokens: 0,
    cached_audio_tokens: 90,
    output_text_tokens: 9,
  });
  expect([inputTokensOf(quantities ?? new Map()), outputTokensOf(quantities ?? new Map())]).toEqual([90, 9]);
});

test('says with each quantity whether it is confirmed', () => {
  expect(toUsage(new Map([['images', 2]]), false)).toEqual([{ unit: 'images', quantity: 2, confirmed: false }]);
});

test('reads a count by modality', () => {
  const count = { totalTokens: 300, promptTokensDetails: [detail('TEXT', 42), detail('IMAGE', 258)] };
  expect(Object.fromEntries(fromTokenCount(count) ?? [])).toEqual({ input_text_tokens: 42, input_image_tokens: 258 });
  expect(Object.fromEntries(fromTokenCount({ totalTokens: 0 }) ?? [])).toEqual({ input_text_tokens: 0 });
  expect(fromTokenCount({ totalTokens: 'many' })).toBeUndefined();
  // The count of an embedding is what it costs: a proxy's empty object must not make it free.
  expect(fromTokenCount({})).toBeUndefined();
});
