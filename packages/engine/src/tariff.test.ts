import { usageUnits } from '@tollgate/provider';
import { describe, expect, test } from 'vitest';
import {
  findKindTariff,
  findModelTariff,
  holdOf,
  parseTariff,
  priceOf,
  type ModelTariffInput,
  type Quantities,
} from './tariff.ts';

const tariffOf = (input: ModelTariffInput) => {
  const tariff = findModelTariff(parseTariff({ version: 't1', models: { m: input } }), 'm');
  if (tariff === null) throw new Error('no tariff');
  return tariff;
};

const text = tariffOf({ perMillion: { input_text_tokens: '0.15', output_text_tokens: '0.6' } });
const used = (input: number, output: number): Quantities => [
  { unit: 'input_text_tokens', quantity: input },
  { unit: 'output_text_tokens', quantity: output },
];

describe('prices', () => {
  test('follow the units measured [ledger:tariff:no-fixed-price]', () => {
    expect(priceOf(text, used(1_000_000, 0), 'half_up')).toBe(150_000n);
    expect(priceOf(text, used(1_000_000, 1_000_000), 'half_up')).toBe(750_000n);
    expect(priceOf(text, [], 'up')).toBe(0n);
  });

  test('are rounded once for all meters together: half up for a charge, up for an estimate', () => {
    // 0.45 and 0.6 micro-credits: 1.05 together, 0 and 1 line by line.
    expect(priceOf(text, used(3, 1), 'half_up')).toBe(1n);
    expect(priceOf(text, used(3, 1), 'up')).toBe(2n);
    // 0.3 + 0.0 stays below a half; 0.45 + 0.0 too; 0.6 does not; a half goes up.
    expect(priceOf(text, used(3, 0), 'half_up')).toBe(0n);
    expect(priceOf(tariffOf({ perMillion: { input_text_tokens: '0.5' } }), used(1, 0), 'half_up')).toBe(1n);
    expect(priceOf(tariffOf({ perMillion: { input_text_tokens: '0.499999' } }), used(1, 0), 'half_up')).toBe(0n);
    expect(priceOf(tariffOf({ perMillion: { input_text_tokens: '0.000001' } }), used(1, 0), 'up')).toBe(1n);
  });

  test('do not drift over sums that floating point gets wrong', () => {
    // 1,000,000 × 0.000123 is 123.00000000138876 in floating point.
    expect(priceOf(tariffOf({ perMillion: { input_text_tokens: '0.000123' } }), used(1_000_000, 0), 'up')).toBe(123n);
  });

  test('charge a unit without a price of its own as the unit it refines, never for nothing', () => {
    const finer = [
      'input_image_tokens',
      'input_audio_tokens',
      'input_video_tokens',
      'input_document_tokens',
      'cached_input_tokens',
      'cached_image_tokens',
      'cached_audio_tokens',
      'cached_video_tokens',
      'cached_document_tokens',
      'tool_use_input_tokens',
      'embedding_tokens',
      'indexing_tokens',
    ] as const;
    for (const unit of finer) expect(priceOf(text, [{ unit, quantity: 1_000_000 }], 'up')).toBe(150_000n);
    for (const unit of ['output_image_tokens', 'output_audio_tokens', 'output_video_tokens', 'thought_tokens'] as const)
      expect(priceOf(text, [{ unit, quantity: 1_000_000 }], 'up')).toBe(600_000n);
    const own = tariffOf({ perMillion: { input_text_tokens: 1, cached_input_tokens: 0 } });
    expect(priceOf(own, [{ unit: 'cached_input_tokens', quantity: 5 }], 'up')).toBe(0n);
  });

  test('take for a cached token the price of cached input, else of its own kind, else of text', () => {
    const cached: Quantities = [{ unit: 'cached_audio_tokens', quantity: 1_000_000 }];
    const perMillion = { input_text_tokens: '0.1' };
    expect(priceOf(tariffOf({ perMillion }), cached, 'up')).toBe(100_000n);
    const withAudio = { ...perMillion, input_audio_tokens: '0.7' };
    expect(priceOf(tariffOf({ perMillion: withAudio }), cached, 'up')).toBe(700_000n);
    const withCached = { ...withAudio, cached_input_tokens: '0.025' };
    expect(priceOf(tariffOf({ perMillion: withCached }), cached, 'up')).toBe(25_000n);
    const withOwn = { ...withCached, cached_audio_tokens: '0.05' };
    expect(priceOf(tariffOf({ perMillion: withOwn }), cached, 'up')).toBe(50_000n);
  });

  test.each([
    'images',
    'input_audio_seconds',
    'output_audio_seconds',
    'speech_characters',
    'video_seconds',
    'music_seconds',
    'music_clips',
    'cache_token_seconds',
    'session_seconds',
    'mcp_calls',
    'embedding_inputs',
    'retrieval_queries',
    'url_fetches',
    'code_execution_runs',
  ] as const)('never take the price of a token for %s', (unit) => {
    expect(priceOf(text, [{ unit, quantity: 1 }], 'up')).toBeNull();
    expect(priceOf(tariffOf({ perMillion: { [unit]: 2 } }), [{ unit, quantity: 1_000_000 }], 'up')).toBe(2_000_000n);
  });

  test('are not known for a unit without a price that was used', () => {
    expect(priceOf(text, [{ unit: 'web_search_queries', quantity: 1 }], 'up')).toBeNull();
    expect(priceOf(text, [{ unit: 'web_search_queries', quantity: 0 }], 'up')).toBe(0n);
  });

  test('are not known beyond every amount', () => {
    const dear = tariffOf({ perMillion: { input_text_tokens: '1000000000' } });
    expect(priceOf(dear, used(1_000_000, 0), 'up')).toBe(10n ** 15n);
    expect(priceOf(dear, used(1_000_001, 0), 'up')).toBeNull();
  });

  test('exist for every unit that a tariff names', () => {
    const tariff = tariffOf({ perMillion: Object.fromEntries(usageUnits.map((unit) => [unit, '1'])) });
    for (const unit of usageUnits) expect(priceOf(tariff, [{ unit, quantity: 7 }], 'half_up')).toBe(7n);
  });
});

describe('holds', () => {
  test('are the estimate rounded up, with the floor of the tariff [ledger:hold:estimate]', () => {
    const tariff = tariffOf({ perMillion: { input_text_tokens: '0.15' }, holdMinimum: '0.00001' });
    expect(holdOf(tariff, used(1, 0))).toBe(10n);
    expect(holdOf(tariff, used(100, 0))).toBe(15n);
    expect(holdOf(text, used(1, 0))).toBe(1n);
    expect(holdOf(text, [{ unit: 'maps_queries', quantity: 1 }])).toBeNull();
  });
});

describe('tariffs', () => {
  test('have prices for a model by its name, else for every model, else none [ledger:precheck:missing-tariff]', () => {
    const models = { m: { perMillion: { input_text_tokens: 1 } }, '*': { perMillion: { input_text_tokens: 2 } } };
    const tariff = parseTariff({ version: 't1', models });
    const price = (model: string) => findModelTariff(tariff, model)?.picosPerUnit.get('input_text_tokens');
    expect([price('m'), price('other')]).toEqual([1_000_000n, 2_000_000n]);
    expect(findModelTariff(parseTariff({ version: 't1', models: { m: models.m } }), 'other')).toBeNull();
  });

  test('keep the list as it was written', () => {
    const input = { version: 't1', models: { m: { perMillion: { input_text_tokens: '0.150' } } } };
    expect(parseTariff(input).input).toBe(input);
  });

  test.each([
    ['an unknown unit', { perMillion: { words: 1 } }, 'unknown unit words'],
    ['a price below zero', { perMillion: { input_text_tokens: -1 } }, 'bad price of input_text_tokens'],
    ['a price of seven decimals', { perMillion: { input_text_tokens: '0.0000001' } }, 'bad price'],
    ['a price that is no number', { perMillion: { input_text_tokens: 'free' } }, 'bad price'],
    ['a floor below zero', { perMillion: {}, holdMinimum: -1 }, 'bad holdMinimum'],
    ['a floor beyond every amount', { perMillion: {}, holdMinimum: '1000000000.1' }, 'bad holdMinimum'],
  ])('are refused with %s', (_, model, message) => {
    expect(() => parseTariff({ version: 't1', models: { m: model as ModelTariffInput } })).toThrow(message);
  });

  test('price the items of a batch by prices of their own, else by a part of the direct ones [batches:tariff:separate]', () => {
    const perMillion = { input_text_tokens: '1', output_text_tokens: '0.000001' };
    const model = { perMillion, batch: { factor: '0.5', perMillion: { input_text_tokens: '0.2' } } };
    const tariff = parseTariff({ version: 't1', models: { m: model, '*': { perMillion } } });
    const picos = (name: string, kind: string) => [
      ...(findKindTariff(tariff, name, kind)?.picosPerUnit.values() ?? []),
    ];
    expect(picos('m', 'batch')).toEqual([200_000n, 1n]);
    expect(picos('m', 'generate')).toEqual([1_000_000n, 1n]);
    expect(picos('other', 'batch')).toEqual([1_000_000n, 1n]);
  });

  test.each([
    ['a factor below zero', { factor: -1 }, 'bad factor of batch'],
    ['a bad batch price', { perMillion: { input_text_tokens: 'free' } }, 'tariff of m, batch: bad price'],
  ])('are refused with %s', (_, batch, message) => {
    expect(() => parseTariff({ version: 't1', models: { m: { perMillion: {}, batch } } })).toThrow(message);
  });

  test('are refused without a version', () => {
    expect(() => parseTariff({ version: '', models: {} })).toThrow('a tariff needs a version');
  });
});
