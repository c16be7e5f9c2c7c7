import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import { describe, expect, test } from 'vitest';
import { fromUsage } from './from-usage.ts';

type Side<S extends 'inputTokens' | 'outputTokens'> = Partial<LanguageModelV4Usage[S]>;

const usageOf = (
  input: Side<'inputTokens'>,
  output: Side<'outputTokens'>,
  raw?: LanguageModelV4Usage['raw'],
): LanguageModelV4Usage => ({
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined, ...input },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined, ...output },
  ...(raw === undefined ? {} : { raw }),
});

const quantities = (usage: LanguageModelV4Usage): object =>
  Object.fromEntries(fromUsage(usage, true).map(({ unit, quantity }) => [unit, quantity]));

const rows: readonly (readonly [title: string, usage: LanguageModelV4Usage, units: object])[] = [
  ['totals', usageOf({ total: 9 }, { total: 4 }), { input_text_tokens: 9, output_text_tokens: 4 }],
  [
    'cached input and thoughts taken out of their totals',
    usageOf({ total: 100, cacheRead: 40 }, { total: 50, reasoning: 20 }),
    { input_text_tokens: 60, cached_input_tokens: 40, output_text_tokens: 30, thought_tokens: 20 },
  ],
  [
    'what was written to the cache apart from input',
    usageOf({ total: 100, noCache: 10, cacheRead: 40, cacheWrite: 50 }, { total: 1 }),
    { input_text_tokens: 10, cached_input_tokens: 40, cache_write_input_tokens: 50, output_text_tokens: 1 },
  ],
  [
    'what was written for an hour by itself',
    usageOf(
      { total: 60, noCache: 10, cacheWrite: 50 },
      { total: 1 },
      { cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 30 } },
    ),
    {
      input_text_tokens: 10,
      cache_write_input_tokens: 20,
      cache_write_hour_input_tokens: 30,
      output_text_tokens: 1,
    },
  ],
  [
    'a side that the upstream did not count as no measurement',
    usageOf({ total: 100 }, { total: 0 }, { prompt_tokens: 100 }),
    {},
  ],
  [
    'sums of shares where there are no totals',
    usageOf({ noCache: 10, cacheRead: 5, cacheWrite: 2 }, { text: 3, reasoning: 4 }),
    {
      input_text_tokens: 10,
      cached_input_tokens: 5,
      cache_write_input_tokens: 2,
      output_text_tokens: 3,
      thought_tokens: 4,
    },
  ],
  [
    'a share beyond its total as the total',
    usageOf({ total: 10, cacheRead: 40 }, { total: 5, reasoning: 9 }),
    { input_text_tokens: 0, cached_input_tokens: 10, output_text_tokens: 0, thought_tokens: 5 },
  ],
  [
    "Gemini's modalities, the cached ones apart, and what tools put in",
    usageOf(
      { total: 1_100, cacheRead: 300 },
      { total: 90, reasoning: 10 },
      {
        promptTokenCount: 1_000,
        toolUsePromptTokenCount: 100,
        cachedContentTokenCount: 300,
        promptTokensDetails: [
          { modality: 'TEXT', tokenCount: 400 },
          { modality: 'IMAGE', tokenCount: 500 },
          { modality: 'AUDIO', tokenCount: 100 },
        ],
        cacheTokensDetails: [
          { modality: 'TEXT', tokenCount: 100 },
          { modality: 'IMAGE', tokenCount: 200 },
        ],
        candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 70 }],
      },
    ),
    {
      input_text_tokens: 300,
      cached_input_tokens: 100,
      input_image_tokens: 300,
      cached_image_tokens: 200,
      input_audio_tokens: 100,
      tool_use_input_tokens: 100,
      output_text_tokens: 10,
      output_image_tokens: 70,
      thought_tokens: 10,
    },
  ],
  [
    'sound and images of chat completions',
    usageOf(
      { total: 100 },
      { total: 50 },
      {
        prompt_tokens: 100,
        prompt_tokens_details: { audio_tokens: 30, image_tokens: 20 },
        completion_tokens_details: { audio_tokens: 40 },
      },
    ),
    {
      input_text_tokens: 50,
      input_audio_tokens: 30,
      input_image_tokens: 20,
      output_text_tokens: 10,
      output_audio_tokens: 40,
    },
  ],
  [
    'thoughts that are counted in the total alone',
    usageOf(
      { total: 10 },
      { total: 7, reasoning: 2 },
      { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 30 },
    ),
    { input_text_tokens: 10, output_text_tokens: 5, thought_tokens: 15 },
  ],
  [
    'thoughts that chat completions count beside the completion',
    usageOf({ total: 10 }, { total: 5 }, { prompt_tokens: 10, completion_tokens: 5, total_tokens: 30 }),
    { input_text_tokens: 10, output_text_tokens: 5, thought_tokens: 15 },
  ],
  [
    'what tools put into an interaction, beside its input',
    usageOf({ total: 10 }, { total: 5 }, { total_input_tokens: 10, total_tool_use_tokens: 4, total_tokens: 19 }),
    { input_text_tokens: 10, tool_use_input_tokens: 4, output_text_tokens: 5 },
  ],
  [
    'a side that is left out as what the total has besides',
    usageOf({ total: 10 }, { total: 0 }, { promptTokenCount: 10, totalTokenCount: 30 }),
    { input_text_tokens: 10, output_text_tokens: 20 },
  ],
  [
    'an explicit zero',
    usageOf({ total: 0 }, { total: 0 }, { prompt_tokens: 0, completion_tokens: 0 }),
    { input_text_tokens: 0, output_text_tokens: 0 },
  ],
];

describe('measures', () => {
  test.each(rows)('%s', (_title, usage, units) => {
    expect(quantities(usage)).toEqual(units);
  });
});

const unmeasured: readonly (readonly [title: string, usage: LanguageModelV4Usage])[] = [
  ['a usage without counts', usageOf({}, {})],
  ['one side alone', usageOf({ total: 9 }, {})],
  ['a count that is none', usageOf({ total: -1 }, { total: 1.5 })],
  ['zeros where the upstream said nothing', usageOf({ total: 0 }, { total: 0 }, {})],
  ['a zero for the side that the upstream left out', usageOf({ total: 9 }, { total: 0 }, { promptTokenCount: 9 })],
  ['zeros where the upstream has only a sum', usageOf({ total: 0 }, { total: 0 }, { total_tokens: 12 })],
];

describe('measures nothing in', () => {
  test.each(unmeasured)('%s', (_title, usage) => {
    expect(fromUsage(usage, true)).toEqual([]);
  });
});

test('confirms no more than the caller knows', () => {
  expect(fromUsage(usageOf({ total: 1 }, { total: 1 }), false).some(({ confirmed }) => confirmed)).toBe(false);
});
