import type { Usage, UsageUnit } from '@tollgate/provider';
import { array, assert, boolean, integer, property, record, tuple } from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Quantities } from '../../ledger/price-usage.ts';
import { cachedUsage, sentEstimate } from './cached-usage.ts';

const units = ['input_text_tokens', 'input_image_tokens', 'input_audio_tokens'] as const;
const cachedOf = {
  input_text_tokens: 'cached_input_tokens',
  input_image_tokens: 'cached_image_tokens',
  input_audio_tokens: 'cached_audio_tokens',
} as const;

const text = (quantity: number): Usage => ({ unit: 'input_text_tokens', quantity, confirmed: true });
const cached = (quantity: number): Usage => ({ unit: 'cached_input_tokens', quantity, confirmed: true });
const image = (quantity: number): Usage => ({ unit: 'input_image_tokens', quantity, confirmed: true });

const totalOf = (usage: Quantities, ...of: readonly UsageUnit[]): number =>
  usage.reduce((sum, { unit, quantity }) => (of.length === 0 || of.includes(unit) ? sum + quantity : sum), 0);

describe('a cache whose contents are sent along', () => {
  test('makes nothing of the own input of a call a read where it holds less than its bound', () => {
    // A million letters are estimated as 250,000 tokens, and are 125,000; the call itself has 500,000 bytes.
    const kept = { tokens: [text(250_000)], tokensMin: [text(1)] };
    expect(cachedUsage([text(250_000)], kept, [text(500_000)])).toEqual([text(249_999), cached(1)]);
  });

  test('is read but for what the call itself may have at its most', () => {
    const kept = { tokens: [text(10_000)], tokensMin: [text(7_500)] };
    expect(cachedUsage([text(10_100)], kept, [text(400)])).toEqual([text(400), cached(9_700)]);
    expect(cachedUsage([text(9_100)], kept, [text(400)])).toEqual([text(400), cached(8_700)]);
  });

  test('is read for what it holds for certain, whatever the call itself has', () => {
    const kept = { tokens: [text(10_000)], tokensMin: [text(7_500)] };
    expect(cachedUsage([text(40_000)], kept, [text(120_000)])).toEqual([text(32_500), cached(7_500)]);
    expect(cachedUsage([text(40_000)], kept, [text(Infinity)])).toEqual([text(32_500), cached(7_500)]);
  });

  test('is read as a whole where the upstream counted it, and not at all where nothing is known of it', () => {
    const tokens = [text(10), image(5)];
    expect(cachedUsage([text(14), image(5)], { tokens, tokensMin: tokens }, [text(Infinity)])).toEqual([
      text(4),
      image(0),
      cached(10),
      { ...image(5), unit: 'cached_image_tokens' },
    ]);
    expect(cachedUsage([text(14)], { tokens }, [text(20)])).toEqual([text(14), cached(0)]);
  });

  test('is not read more where the upstream reports the images of a call as text', () => {
    const kept = { tokens: [text(5_000)], tokensMin: [text(1)] };
    expect(cachedUsage([text(2_000)], kept, [text(10), image(2_600)])).toEqual([text(1_999), cached(1)]);
  });

  test('contains what the upstream found cached by itself', () => {
    const kept = { tokens: [text(10)], tokensMin: [] };
    expect(cachedUsage([text(6), cached(8)], kept, [text(4)])).toEqual([text(4), cached(10)]);
    expect(cachedUsage([text(6), cached(12)], kept, [text(4)])).toEqual([text(6), cached(12)]);
    expect(cachedUsage([], kept, [text(4)])).toEqual([]);
  });
});

/** The true tokens of a unit in a call and in its cache, and how far what is known of them is off. */
const arbitraryUnit = record({
  own: integer({ min: 0, max: 5_000 }),
  ownBeyond: integer({ min: 0, max: 5_000 }),
  held: integer({ min: 0, max: 5_000 }),
  certain: integer({ min: 0, max: 100 }),
  estimated: integer({ min: 0, max: 50_000 }),
});

/** Millionths of a credit of a token of input, and of one that was read. */
const arbitraryPrices = tuple(integer({ min: 0, max: 1_000 }), integer({ min: 0, max: 1_000 })).map(([one, other]) => ({
  input: Math.max(one, other),
  read: Math.min(one, other),
}));

const chargeOf = (usage: Quantities, { input, read }: { readonly input: number; readonly read: number }): number =>
  usage.reduce((sum, { unit, quantity }) => sum + quantity * (unit.startsWith('cached_') ? read : input), 0);

test('a call with a cache never costs less than the same call alone, whatever the cache was estimated as', () => {
  assert(
    property(
      array(arbitraryUnit, { minLength: 1, maxLength: 3 }),
      boolean(),
      arbitraryPrices,
      (known, isAllText, prices) => {
        const each = known.map((one, at) => ({ ...one, unit: units[at] ?? 'input_text_tokens' }));
        const sum = (of: (one: (typeof each)[number]) => number): number =>
          each.reduce((total, one) => total + of(one), 0);
        const usage: readonly Usage[] = isAllText
          ? [text(sum(({ own, held }) => own + held))]
          : each.map(({ unit, own, held }) => ({ unit, quantity: own + held, confirmed: true }));
        const kept = {
          tokens: each.map(({ unit, estimated }) => ({ unit, quantity: estimated })),
          tokensMin: each.map(({ unit, held, certain }) => ({ unit, quantity: Math.floor((held * certain) / 100) })),
        };
        const ownMax = each.map(({ unit, own, ownBeyond }) => ({ unit, quantity: own + ownBeyond }));
        const told = cachedUsage(usage, kept, ownMax);
        expect(totalOf(told)).toBe(totalOf(usage));
        expect(chargeOf(told, prices)).toBeGreaterThanOrEqual(sum(({ own }) => own) * prices.input);
        if (isAllText) return;
        for (const { unit, own, estimated } of each) {
          expect(totalOf(told, unit)).toBeGreaterThanOrEqual(own);
          expect(totalOf(told, cachedOf[unit])).toBeLessThanOrEqual(estimated);
        }
      },
    ),
  );
});

describe('what a call reserves for a cache whose contents are sent along', () => {
  test('is what will be read at the price of a read, and the rest at the price of input', () => {
    const kept = { tokens: [text(1_000)], tokensMin: [text(600)] };
    const own: Quantities = [text(100), { unit: 'output_text_tokens', quantity: 50 }];
    expect(sentEstimate(kept, own, [text(250)])).toEqual([
      { unit: 'cached_input_tokens', quantity: 850 },
      { unit: 'input_text_tokens', quantity: 150 },
    ]);
    expect(sentEstimate({ tokens: [text(10)], tokensMin: [text(10)] }, own, [text(250)])).toEqual([
      { unit: 'cached_input_tokens', quantity: 10 },
    ]);
  });

  test('covers the charge of every call that has no more input than was estimated', () => {
    const quantity = integer({ min: 0, max: 10_000 });
    assert(
      property(tuple(quantity, quantity, quantity, quantity, quantity), arbitraryPrices, (drawn, prices) => {
        const [estimated, certain, own, ownBeyond, missing] = drawn;
        const kept = { tokens: [text(estimated)], tokensMin: [text(Math.min(certain, estimated))] };
        const ownMax = [text(own + ownBeyond)];
        const measured = [text(Math.max(0, own + estimated - missing))];
        const hold = chargeOf([text(own), ...sentEstimate(kept, [text(own)], ownMax)], prices);
        expect(chargeOf(cachedUsage(measured, kept, ownMax), prices)).toBeLessThanOrEqual(hold);
      }),
    );
  });
});
