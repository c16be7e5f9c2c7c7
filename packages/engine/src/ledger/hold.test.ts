import { describe, expect, test } from 'vitest';
import { judgeHold, type Estimate } from './hold.ts';
import type { ModelTariffInput } from './tariff-input.ts';
import { listPrices, parseTariff } from './tariff.ts';

const tariffOf = (perMillion: ModelTariffInput['perMillion']) =>
  listPrices(parseTariff({ version: 't', models: { m: { perMillion } } }), 'm');

const million = 1_000_000;
const prices = { input_text_tokens: 1, output_text_tokens: 2 };
const judge = (estimate: Estimate, more: ModelTariffInput['perMillion'] = {}) =>
  judgeHold(tariffOf({ ...prices, ...more }), estimate);

describe('the hold', () => {
  test('counts each unit at the most expensive that may be reported in its place', () => {
    const output: Estimate = [{ unit: 'output_text_tokens', quantity: million }];
    expect(judge(output)).toEqual({ kind: 'amount', micros: 2_000_000n });
    expect(judge(output, { thought_tokens: 5 })).toEqual({ kind: 'amount', micros: 5_000_000n });
    expect(judge(output, { output_image_tokens: 30 })).toEqual({ kind: 'amount', micros: 2_000_000n });
    const images: Estimate = [{ unit: 'output_image_tokens', quantity: million, or: ['output_audio_tokens'] }];
    expect(judge(images, { output_audio_tokens: 40, output_image_tokens: 1 })).toEqual({
      kind: 'amount',
      micros: 40_000_000n,
    });
    const input: Estimate = [{ unit: 'input_image_tokens', quantity: million }];
    expect(judge(input, { cached_image_tokens: 3 })).toEqual({ kind: 'amount', micros: 3_000_000n });
  });

  test.each(['input_text_tokens', 'input_image_tokens', 'input_document_tokens', 'cached_input_tokens'] as const)(
    'covers %s at the price of writing a cache where that is more',
    (unit) => {
      const input: Estimate = [{ unit, quantity: million }];
      expect(judge(input, { cache_write_input_tokens: '1.25' })).toEqual({ kind: 'amount', micros: 1_250_000n });
      const both = { cache_write_input_tokens: '1.25', cache_write_hour_input_tokens: 2 };
      expect(judge(input, both)).toEqual({ kind: 'amount', micros: 2_000_000n });
      expect(judge(input)).toEqual({ kind: 'amount', micros: 1_000_000n });
    },
  );

  test('counts what may be metered otherwise only where it has a price of its own', () => {
    const made: Estimate = [{ unit: 'images', quantity: 2, ifPriced: true }];
    expect(judge(made)).toEqual({ kind: 'amount', micros: 0n });
    expect(judge(made, { images: 40_000 })).toEqual({ kind: 'amount', micros: 80_000n });
  });

  test('names the unit that is certain to be used and has no price', () => {
    expect(judge([{ unit: 'maps_queries', quantity: 1 }])).toEqual({ kind: 'unpriced', unit: 'maps_queries' });
  });

  test('names the unit that has a price and no bound, and takes one that costs nothing', () => {
    const made: Estimate = [{ unit: 'images', quantity: Infinity, ifPriced: true }];
    expect(judge(made, { images: 40_000 })).toEqual({ kind: 'unbounded', unit: 'images' });
    expect(judge(made, { images: 0 })).toEqual({ kind: 'amount', micros: 0n });
    expect(judge(made)).toEqual({ kind: 'amount', micros: 0n });
  });

  test('tells a missing price list and a sum beyond every amount apart', () => {
    expect(judgeHold(null, [])).toEqual({ kind: 'no_tariff' });
    const all = [{ unit: 'output_text_tokens', quantity: Number.MAX_SAFE_INTEGER } as const];
    expect(judge(all)).toEqual({ kind: 'beyond_amounts' });
  });
});
