import { usageUnits } from '@tollgate/provider';
import { describe, expect, test } from 'vitest';
import { chargeOf, priceOf, type Quantities } from './price-usage.ts';
import { findPrices, listPrices, parseTariff } from './tariff.ts';
import type { ModelTariffInput, Rounding } from './tariff-input.ts';
import { holdOf } from './hold.ts';

const tariffOf = (input: ModelTariffInput) => {
  const tariff = listPrices(parseTariff({ version: 't1', models: { m: input } }), 'm');
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
    'host_tool_calls',
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
    const highPrices = tariffOf({ perMillion: { input_text_tokens: '1000000000' } });
    expect(priceOf(highPrices, used(1_000_000, 0), 'up')).toBe(10n ** 15n);
    expect(priceOf(highPrices, used(1_000_001, 0), 'up')).toBeNull();
  });

  test('exist for every unit that a price list names', () => {
    const tariff = tariffOf({ perMillion: Object.fromEntries(usageUnits.map((unit) => [unit, '1'])) });
    for (const unit of usageUnits) expect(priceOf(tariff, [{ unit, quantity: 7 }], 'half_up')).toBe(7n);
  });
});

const priced = (input: Partial<ModelTariffInput> = {}, rounding?: Rounding) => {
  const models = { m: { perMillion: { input_text_tokens: '0.05', images: 0 }, ...input } };
  const tariff = listPrices(
    parseTariff({ version: 't1', models, ...(rounding === undefined ? {} : { rounding }) }),
    'm',
  );
  if (tariff === null) throw new Error('no prices');
  return tariff;
};
const tokens = (quantity: number) => [{ unit: 'input_text_tokens', quantity } as const];

describe('charges', () => {
  test('are exact unless the price list says otherwise [ledger:numbers:micro]', () => {
    expect(chargeOf(priced(), tokens(5))).toEqual({ micros: 0n, fractionPicos: 250_000 });
    expect(chargeOf(priced(), tokens(50))).toEqual({ micros: 2n, fractionPicos: 500_000 });
  });

  test('are rounded by themselves where the price list says so', () => {
    for (const [quantity, up, halfUp] of [
      [5, 1n, 0n],
      [10, 1n, 1n],
      [20, 1n, 1n],
      [21, 2n, 1n],
    ] as const) {
      expect(chargeOf(priced({}, 'up'), tokens(quantity))).toEqual({ micros: up, fractionPicos: 0 });
      expect(chargeOf(priced({}, 'half_up'), tokens(quantity))).toEqual({ micros: halfUp, fractionPicos: 0 });
    }
  });

  test('are at least the minimum where anything was used', () => {
    const tariff = priced({ chargeMinimum: '0.000002' });
    expect(chargeOf(tariff, tokens(5))).toEqual({ micros: 2n, fractionPicos: 0 });
    expect(chargeOf(tariff, tokens(50))).toEqual({ micros: 2n, fractionPicos: 500_000 });
    expect(chargeOf(tariff, tokens(0))).toEqual({ micros: 0n, fractionPicos: 0 });
    expect(chargeOf(tariff, [{ unit: 'images', quantity: 1 }])).toEqual({ micros: 2n, fractionPicos: 0 });
    expect(holdOf(tariff, tokens(1))).toBe(2n);
  });

  test('are unknown where a unit has no price, or beyond every amount', () => {
    expect(chargeOf(priced(), [{ unit: 'maps_queries', quantity: 1 }])).toBeNull();
    const highPrices = priced({ perMillion: { input_text_tokens: '1000000000' } });
    expect(chargeOf(highPrices, tokens(1_000_000))).toEqual({ micros: 10n ** 15n, fractionPicos: 0 });
    expect(chargeOf(highPrices, tokens(1_000_001))).toBeNull();
  });

  test('are the same for batches, by their own prices', () => {
    const input = { chargeMinimum: '0.000002', batch: { factor: '0.5' } };
    const models = { m: { perMillion: { input_text_tokens: '1' }, ...input } };
    const tariff = findPrices(parseTariff({ version: 't1', models, rounding: 'up' }), {
      model: 'm',
      kind: 'batch',
      accountId: 'a1',
      plan: null,
    });
    expect(tariff && [chargeOf(tariff, tokens(1)), chargeOf(tariff, tokens(5))]).toEqual([
      { micros: 2n, fractionPicos: 0 },
      { micros: 3n, fractionPicos: 0 },
    ]);
  });
});

describe('holds', () => {
  test('are the estimate rounded up, with the floor of the price list [ledger:hold:estimate]', () => {
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
    const price = (model: string) => listPrices(tariff, model)?.picosPerUnit.get('input_text_tokens');
    expect([price('m'), price('other')]).toEqual([1_000_000n, 2_000_000n]);
    expect(listPrices(parseTariff({ version: 't1', models: { m: models.m } }), 'other')).toBeNull();
  });

  test('keep the list as it was written', () => {
    const input = { version: 't1', models: { m: { perMillion: { input_text_tokens: '0.150' } } } };
    expect(parseTariff(input).input).toBe(input);
  });

  test.each([
    ['an unknown unit', { perMillion: { words: 1 } }, "models['m'].perMillion.words is not known"],
    [
      'a price below zero',
      { perMillion: { input_text_tokens: -1 } },
      "models['m'].perMillion.input_text_tokens is -1; accepted is a decimal",
    ],
    ['a price of seven decimals', { perMillion: { input_text_tokens: '0.0000001' } }, 'is the text "0.0000001"'],
    ['a price that is no number', { perMillion: { input_text_tokens: 'free' } }, 'is the text "free"'],
    ['a charge below zero', { perMillion: {}, chargeMinimum: -1 }, "models['m'].chargeMinimum is -1"],
    ['a floor below zero', { perMillion: {}, holdMinimum: -1 }, "models['m'].holdMinimum is -1"],
    [
      'a floor beyond every amount',
      { perMillion: {}, holdMinimum: '1000000000.1' },
      "models['m'].holdMinimum is the text",
    ],
  ])('are refused with %s', (_, model, message) => {
    expect(() => parseTariff({ version: 't1', models: { m: model as ModelTariffInput } })).toThrow(message);
  });

  test('price the items of a batch by prices of their own, else by a part of the direct ones [batches:tariff:separate]', () => {
    const perMillion = { input_text_tokens: '1', output_text_tokens: '0.000001' };
    const model = { perMillion, batch: { factor: '0.5', perMillion: { input_text_tokens: '0.2' } } };
    const tariff = parseTariff({ version: 't1', models: { m: model, '*': { perMillion } } });
    const picos = (name: string, kind: string) => [
      ...(findPrices(tariff, { model: name, kind, accountId: 'a1', plan: null })?.picosPerUnit.values() ?? []),
    ];
    expect(picos('m', 'batch')).toEqual([200_000n, 1n]);
    expect(picos('m', 'generate')).toEqual([1_000_000n, 1n]);
    expect(picos('other', 'batch')).toEqual([1_000_000n, 1n]);
  });

  test.each([
    ['a factor below zero', { factor: -1 }, "models['m'].batch.factor is -1"],
    [
      'a bad batch price',
      { perMillion: { input_text_tokens: 'free' } },
      "models['m'].batch.perMillion.input_text_tokens is the text",
    ],
  ])('are refused with %s', (_, batch, message) => {
    expect(() => parseTariff({ version: 't1', models: { m: { perMillion: {}, batch } } })).toThrow(message);
  });

  test('are refused with a rounding that there is none of', () => {
    const input = { version: 't1', models: {}, rounding: 'down' as Rounding };
    expect(() => parseTariff(input)).toThrow('rounding is the text "down"; accepted are carry, up and half_up');
  });

  test('are refused without a version', () => {
    expect(() => parseTariff({ version: '', models: {} })).toThrow(
      'version is the text ""; accepted is a text of 1 to 256',
    );
  });
});
