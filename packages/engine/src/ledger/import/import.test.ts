import { describe, expect, it } from 'vitest';
import { parseTariff } from '../tariff.ts';
import { shiftedDecimal } from './decimal.ts';
import { importPrices } from './import-prices.ts';

describe('a price of one token', () => {
  it('becomes one of a million without floating point, for every nano-dollar up to 0.0001', () => {
    const wrong = Array.from({ length: 100_000 }, (_, index) => index + 1).filter((nanos) => {
      const expected = `${Math.floor(nanos / 1_000)}.${String(nanos % 1_000).padStart(3, '0')}`.replace(/\.?0+$/, '');
      return shiftedDecimal(nanos * 1e-9, 6) !== expected;
    });
    expect(wrong).toEqual([]);
  });

  it.each([
    [1.4999999999999999e-7, '0.15'],
    ['3e-06', '3'],
    [0, '0'],
    [-1, null],
    ['free', null],
    [null, null],
    [Number.NaN, null],
  ])('reads %s as %s', (value, expected) => {
    expect(shiftedDecimal(value, 6)).toBe(expected);
  });
});

describe('prices in the form of LiteLLM', () => {
  const plain = { litellm_provider: 'acme', input_cost_per_token: 3e-6, output_cost_per_token: 1.5e-5 };

  it('become a price list with caches, tiers, batches and a fee', () => {
    const { models, refused, leftOut } = importPrices('litellm', {
      sample_spec: { input_cost_per_token: 'dollars for a token' },
      'acme/long': {
        ...plain,
        max_output_tokens: 8_192,
        cache_creation_input_token_cost: 3.75e-6,
        cache_creation_input_token_cost_above_1hr: 6e-6,
        cache_read_input_token_cost: 3e-7,
        input_cost_per_token_above_200k_tokens: 6e-6,
        input_cost_per_token_above_200k_tokens_priority: 1.2e-5,
        input_cost_per_token_batches: 1.5e-6,
        input_cost_per_request: 0.0001,
      },
    });
    expect(refused).toEqual([]);
    expect(leftOut.map(({ field }) => field)).toEqual(['input_cost_per_token_above_200k_tokens_priority']);
    expect(models).toEqual({
      'acme/long': {
        perMillion: {
          input_text_tokens: '3',
          output_text_tokens: '15',
          cache_write_input_tokens: '3.75',
          cache_write_hour_input_tokens: '6',
          cached_input_tokens: '0.3',
        },
        tiers: [{ above: 200_000, perMillion: { input_text_tokens: '6' } }],
        batch: { perMillion: { input_text_tokens: '1.5' } },
        requestFee: '0.0001',
      },
    });
    expect(() => parseTariff({ version: 'v', models })).not.toThrow();
  });

  it('read rows by length, the first of which is the price of a short request', () => {
    const tiered_pricing = [
      { range: [0, 32_000], input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 },
      { range: [32_000, 128_000], input_cost_per_token: 2e-6, output_cost_per_token: 4e-6 },
    ];
    expect(importPrices('litellm', { m: { tiered_pricing } }).models['m']).toEqual({
      perMillion: { input_text_tokens: '1', output_text_tokens: '2' },
      tiers: [{ above: 32_000, perMillion: { input_text_tokens: '2', output_text_tokens: '4' } }],
    });
  });

  it.each([
    ['a field without a place', { input_cost_per_pixel: 1e-9 }, 'input_cost_per_pixel', 'unknown_field'],
    ['a price that is none', { input_cost_per_audio_token: 'free' }, 'input_cost_per_audio_token', 'not_an_amount'],
    [
      'a price of a million as that of one',
      { output_cost_per_audio_token: 15 },
      'output_cost_per_audio_token',
      'beyond_bound',
    ],
    ['a price of zero', { output_cost_per_audio_token: 0 }, 'output_cost_per_audio_token', 'zero'],
    ['a fee below the last place', { input_cost_per_request: 4e-7 }, 'input_cost_per_request', 'zero'],
    [
      'two names of one price that differ',
      { cache_read_input_token_cost: 1e-7, input_cost_per_token_cache_hit: 2e-7 },
      'input_cost_per_token_cache_hit',
      'conflict',
    ],
  ])('leave a model out with %s, and name the field', (_, fields, field, reason) => {
    expect(importPrices('litellm', { m: { ...plain, ...fields }, other: plain })).toEqual({
      models: { other: { perMillion: { input_text_tokens: '3', output_text_tokens: '15' } } },
      refused: [{ model: 'm', field, reason }],
      leftOut: [],
    });
  });

  it('take an embedding, whose output costs nothing, and a model whose searches cost by their size', () => {
    const found = importPrices('litellm', {
      embedding: {
        mode: 'embedding',
        input_cost_per_token: 2e-8,
        output_cost_per_token: 0,
        output_cost_per_token_batches: 0,
      },
      asking: { ...plain, search_context_cost_per_query: { search_context_size_low: 0.03 } },
      // It searches in every call.
      'm-search-preview': { ...plain, search_context_cost_per_query: { search_context_size_low: 0.03 } },
    });
    expect(found).toEqual({
      models: {
        embedding: { perMillion: { input_text_tokens: '0.02' } },
        asking: { perMillion: { input_text_tokens: '3', output_text_tokens: '15' } },
      },
      refused: [{ model: 'm-search-preview', field: 'search_context_cost_per_query', reason: 'unknown_field' }],
      leftOut: [{ model: 'asking', field: 'search_context_cost_per_query', reason: 'tool' }],
    });
    expect(
      importPrices('litellm', { embedding: { mode: 'embedding', input_cost_per_token: 0, output_cost_per_token: 0 } })
        .refused,
    ).toEqual([{ model: 'embedding', field: 'input_cost_per_token', reason: 'zero' }]);
  });

  it('leave out a field that the host ignores, and take its model', () => {
    const map = { m: { ...plain, output_cost_per_smell: 1, input_cost_per_pixel: 1e-9 } };
    const found = importPrices('litellm', map, { ignoreFields: ['output_cost_per_smell'] });
    expect(found.refused.map(({ field }) => field)).toEqual(['input_cost_per_pixel']);
    expect(found.leftOut).toEqual([{ model: 'm', field: 'output_cost_per_smell', reason: 'ignored' }]);
    const both = importPrices('litellm', map, { ignoreFields: ['output_cost_per_smell', 'input_cost_per_pixel'] });
    expect(both.models).toEqual({ m: { perMillion: { input_text_tokens: '3', output_text_tokens: '15' } } });
  });

  it('take zero and absurd prices where the host says so', () => {
    const map = { m: { input_cost_per_token: 0, output_cost_per_token: 15 } };
    const perMillion = { input_text_tokens: '0', output_text_tokens: '15000000' };
    expect(importPrices('litellm', map, { allowZero: true, force: true }).models).toEqual({ m: { perMillion } });
  });
});

const listOf = (row: object) => ({ acme: { id: 'acme', models: { long: row } } });

describe('prices in the form of models.dev', () => {
  const cost = { input: 1.25, output: 10, cache_read: 0.125 };

  it('become a price list whose tiers are those of the list, not its older copy', () => {
    const tiers = [{ input: 2.5, output: 15, tier: { type: 'context', size: 272_000 } }];
    const { models, leftOut } = importPrices(
      'models.dev',
      listOf({ cost: { ...cost, tiers, context_over_200k: { input: 2.5 } } }),
    );
    expect(models).toEqual({
      'acme/long': {
        perMillion: { input_text_tokens: '1.25', output_text_tokens: '10', cached_input_tokens: '0.125' },
        tiers: [{ above: 272_000, perMillion: { input_text_tokens: '2.5', output_text_tokens: '15' } }],
      },
    });
    expect(leftOut).toEqual([{ model: 'acme/long', field: 'cost.context_over_200k', reason: 'legacy' }]);
  });

  it('leave a model out that has no cost, a zero or an unknown field', () => {
    expect(importPrices('models.dev', listOf({ name: 'Long' }))).toEqual({ models: {}, refused: [], leftOut: [] });
    expect(importPrices('models.dev', listOf({ cost: { ...cost, input: 0 } })).refused).toEqual([
      { model: 'acme/long', field: 'cost.input', reason: 'zero' },
    ]);
    const video = listOf({ cost: { ...cost, video: 2 } });
    const note = { model: 'acme/long', field: 'cost.video' };
    expect(importPrices('models.dev', video).refused).toEqual([{ ...note, reason: 'unknown_field' }]);
    expect(importPrices('models.dev', video, { ignoreFields: ['cost.video'] })).toMatchObject({
      models: { 'acme/long': {} },
      leftOut: [{ ...note, reason: 'ignored' }],
    });
  });
});

describe('prices in the form of OpenRouter', () => {
  const pricing = { prompt: '0.000003', completion: '0.000015' };
  const modelsOf = (more: object) => ({ data: [{ id: 'acme/long', name: 'Long', pricing: { ...pricing, ...more } }] });

  it('become a price list, in which a zero beside the tokens is no price', () => {
    const more = { request: '0.0001', image: '0', web_search: '0', internal_reasoning: '0', input_cache_read: '3e-7' };
    expect(importPrices('openrouter', modelsOf(more))).toEqual({
      models: {
        'acme/long': {
          perMillion: { input_text_tokens: '3', output_text_tokens: '15', cached_input_tokens: '0.3' },
          requestFee: '0.0001',
        },
      },
      refused: [],
      leftOut: [],
    });
  });

  it.each([
    ['a price that depends', { prompt: '-1' }, 'pricing.prompt', 'not_an_amount'],
    ['a price of nothing', { completion: '0' }, 'pricing.completion', 'zero'],
    ['a price without a place', { image: '0.0048' }, 'pricing.image', 'unknown_field'],
    ['a fee that is none', { request: 'much' }, 'pricing.request', 'not_an_amount'],
    ['a fee below the last place', { request: '0.0000004' }, 'pricing.request', 'zero'],
    ['a price below the last place', { audio: '1e-13' }, 'pricing.audio', 'zero'],
    ['no price of the output', { completion: null }, 'pricing.completion', 'not_an_amount'],
    ['no price of the input', { prompt: undefined }, 'pricing.prompt', 'not_an_amount'],
  ])('leave a model out with %s, and name the field', (_, more, field, reason) => {
    expect(importPrices('openrouter', modelsOf(more))).toEqual({
      models: {},
      refused: [{ model: 'acme/long', field, reason }],
      leftOut: [],
    });
  });
});

const row = (id: string, completion: string) => ({ id, pricing: { prompt: '0.000003', completion } });

describe('a list of OpenRouter that has a model twice', () => {
  it('leaves the model out where the prices differ, whichever comes last', () => {
    const [low, high] = [row('m', '0.000001'), row('m', '0.00009')];
    for (const data of [
      [low, high],
      [high, low],
    ])
      expect(
        importPrices('openrouter', { data: [...data, row('other', '0.000002')] }, { ignoreFields: ['id'] }),
      ).toEqual({
        models: { other: { perMillion: { input_text_tokens: '3', output_text_tokens: '2' } } },
        refused: [{ model: 'm', field: 'id', reason: 'conflict' }],
        leftOut: [],
      });
  });

  it('takes no second price for one that is refused, and one model for two rows that agree', () => {
    const refusedFirst = importPrices('openrouter', { data: [row('m', '-1'), row('m', '0.000002')] });
    expect(refusedFirst.models).toEqual({});
    expect(refusedFirst.refused.map(({ reason }) => reason)).toEqual(['not_an_amount', 'conflict']);
    const agreeing = importPrices('openrouter', { data: [row('m', '0.000002'), row('m', '0.000002')] });
    expect(agreeing).toMatchObject({ models: { m: {} }, refused: [] });
  });
});

const importOne = (perMillion: number) =>
  importPrices('litellm', { m: { input_cost_per_token: perMillion / 1_000_000, output_cost_per_token: 1e-6 } });

describe('the bound of a price', () => {
  it('is the highest price that is taken for one of a million tokens', () => {
    expect(importOne(5_000).models['m']?.perMillion.input_text_tokens).toBe('5000');
    expect(importOne(5_001).models['m']?.perMillion.input_text_tokens).toBeUndefined();
  });

  it('is not one of a model that has a price for each request and no other', () => {
    expect(importPrices('litellm', { m: { input_cost_per_request: 0.0001 } }).models['m']).toEqual({
      perMillion: {},
      requestFee: '0.0001',
    });
  });
});
