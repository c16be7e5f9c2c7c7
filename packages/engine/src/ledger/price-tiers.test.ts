import { usageUnits, type UsageUnit } from '@tollgate/provider';
import { describe, expect, it } from 'vitest';
import { judgeHold, holdOf, priceEstimate, type Estimated } from './hold.ts';
import type { ModelTariff } from './model-prices.ts';
import { chargeOf, picosOfUsage, type Quantities } from './price-usage.ts';
import { findPrices, parseTariff } from './tariff.ts';
import type { ModelTariffInput } from './tariff-input.ts';
import { unitTable } from './unit-table.ts';

const parsed = (input: ModelTariffInput, kind = 'generate'): ModelTariff => {
  const tariff = findPrices(parseTariff({ version: 't1', models: { m: input } }), {
    model: 'm',
    kind,
    accountId: 'a1',
    plan: null,
  });
  if (tariff === null) throw new Error('no tariff');
  return tariff;
};

const perMillion = { input_text_tokens: '1', output_text_tokens: '4', cached_input_tokens: '0.1' };
const long = { above: 200_000, perMillion: { input_text_tokens: '2', output_text_tokens: '6' } };
const used = (input: number, output = 0, cached = 0): Quantities => [
  { unit: 'input_text_tokens', quantity: input },
  { unit: 'output_text_tokens', quantity: output },
  { unit: 'cached_input_tokens', quantity: cached },
];

describe('prices by the length of the input', () => {
  it('are those of the whole request, its output too', () => {
    const tariff = parsed({ perMillion, tiers: [long] });
    expect(picosOfUsage(tariff, used(200_000, 10))).toBe(200_000n * 1_000_000n + 10n * 4_000_000n);
    expect(picosOfUsage(tariff, used(200_001, 10))).toBe(200_001n * 2_000_000n + 10n * 6_000_000n);
  });

  it('begin at the length itself where the tier includes it', () => {
    const tariff = parsed({ perMillion, tiers: [{ ...long, inclusive: true }] });
    expect(picosOfUsage(tariff, used(199_999))).toBe(199_999n * 1_000_000n);
    expect(picosOfUsage(tariff, used(200_000))).toBe(200_000n * 2_000_000n);
  });

  it.each(['cached_input_tokens', 'cache_write_input_tokens', 'cache_write_hour_input_tokens'] as const)(
    'count %s as input',
    (unit) => {
      const tariff = parsed({ perMillion, tiers: [long] });
      const quantities: Quantities = [...used(1, 10), { unit, quantity: 200_000 }];
      const output =
        (picosOfUsage(tariff, quantities) ?? 0n) - (picosOfUsage(tariff, [...quantities, ...used(0, -10)]) ?? 0n);
      expect(output).toBe(10n * 6_000_000n);
    },
  );

  it('do not count output as input', () => {
    expect(picosOfUsage(parsed({ perMillion, tiers: [long] }), used(0, 300_000))).toBe(300_000n * 4_000_000n);
  });

  it('keep the price for short input of a unit that the tier leaves out, and fall back to input for a cache without a price', () => {
    const tariff = parsed({ perMillion, tiers: [long] });
    expect(picosOfUsage(tariff, used(0, 0, 300_000))).toBe(300_000n * 100_000n);
    const quantities: Quantities = [{ unit: 'cache_write_hour_input_tokens', quantity: 300_000 }];
    expect(picosOfUsage(tariff, quantities)).toBe(300_000n * 2_000_000n);
  });

  it('are found in whatever order the tiers are written', () => {
    const longest = { above: 500_000, perMillion: { input_text_tokens: '3' } };
    for (const tiers of [
      [long, longest],
      [longest, long],
    ]) {
      const tariff = parsed({ perMillion, tiers });
      expect(picosOfUsage(tariff, used(300_000))).toBe(300_000n * 2_000_000n);
      expect(picosOfUsage(tariff, used(500_001))).toBe(500_001n * 3_000_000n);
    }
  });

  it('take the factor of batches in every tier, and the own price of a batch at every length', () => {
    const batch = { factor: '0.5', perMillion: { output_text_tokens: '1' } };
    const tariff = parsed({ perMillion, tiers: [long], batch }, 'batch');
    expect(picosOfUsage(tariff, used(10, 10))).toBe(10n * 500_000n + 10n * 1_000_000n);
    expect(picosOfUsage(tariff, used(300_000, 10))).toBe(300_000n * 1_000_000n + 10n * 1_000_000n);
  });

  it('are none of a session, whose input has no length of its own', () => {
    const tariff = parsed({ perMillion, tiers: [long] }, 'live');
    expect(picosOfUsage(tariff, used(300_000))).toBe(300_000n * 1_000_000n);
  });
});

describe('the fee of a request', () => {
  it('is added once to what its units cost, before the minimum is checked', () => {
    const tariff = parsed({ perMillion, requestFee: '0.000005', chargeMinimum: '0.000008' });
    expect(chargeOf(tariff, used(10))).toEqual({ micros: 15n, fractionPicos: 0 });
    expect(chargeOf(tariff, used(1))).toEqual({ micros: 8n, fractionPicos: 0 });
    expect(holdOf(tariff, used(10))).toBe(15n);
  });

  it('is not charged where nothing was used', () => {
    expect(chargeOf(parsed({ perMillion, requestFee: '1' }), used(0))).toEqual({ micros: 0n, fractionPicos: 0 });
  });
});

describe('tiers', () => {
  it.each([
    ['two that begin at the same length', [long, { ...long, above: 200_001, inclusive: true }], 'two tiers that begin'],
    ['a length below zero', [{ ...long, above: -1 }], "models['m'].tiers[0].above is -1"],
    ['an unknown member', [{ ...long, upTo: 3 }], "models['m'].tiers[0].upTo is not known"],
  ])('are refused with %s', (_, tiers, message) => {
    const given = { perMillion, tiers: tiers as ModelTariffInput['tiers'] & object };
    expect(() => parsed(given)).toThrow(message);
  });
});

/** A generator of whole numbers below a bound, the same for the same seed. */
const randomOf = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

type Random = ReturnType<typeof randomOf>;

const randomPrices = (random: Random): Partial<Record<UsageUnit, string>> =>
  Object.fromEntries(
    usageUnits
      .filter(() => random(3) > 0)
      .map((unit) => [unit, `${random(20)}.${String(random(1_000_000)).padStart(6, '0')}`]),
  );

const randomList = (random: Random): ModelTariffInput => ({
  perMillion: { input_text_tokens: '1', output_text_tokens: '2', ...randomPrices(random) },
  tiers: [0, 1, 2].slice(random(4)).map((place) => ({
    above: place * 500 + random(500),
    inclusive: random(2) === 0,
    perMillion: randomPrices(random),
  })),
  ...(random(2) === 0 ? { requestFee: `0.0000${random(100)}` } : { chargeMinimum: `0.0000${random(100)}` }),
  batch: { factor: `0.${1 + random(999)}`, perMillion: random(2) === 0 ? {} : randomPrices(random) },
  holdMinimum: `0.0000${random(10)}`,
});

/** What may be reported where this was estimated: no more of it, split among what may be reported in its place. */
const randomUsage = (random: Random, estimate: readonly Estimated[]): Quantities =>
  estimate.flatMap(({ unit, quantity }) => {
    const units = [unit, ...unitTable[unit].mayBe];
    let left = quantity - (random(2) === 0 ? 0 : random(quantity + 1));
    return units.map((reported, place) => {
      const part = place === units.length - 1 ? left : random(left + 1);
      left -= part;
      return { unit: reported, quantity: part };
    });
  });

const estimated = ['input_text_tokens', 'input_audio_tokens', 'output_text_tokens', 'output_audio_tokens'] as const;

describe('a hold', () => {
  it('is never less than the charge, over random price lists, lengths and measures', () => {
    const random = randomOf(18);
    let reached = 0;
    for (let turn = 0; turn < 4_000; turn += 1) {
      const tariff = parsed(randomList(random), random(2) === 0 ? 'batch' : 'generate');
      const estimate = estimated.map((unit) => ({ unit, quantity: random(900) }));
      const quantities = randomUsage(random, estimate);
      const hold = judgeHold(tariff, estimate);
      const charge = chargeOf(tariff, quantities);
      if (hold.kind !== 'amount' || charge === null) throw new Error('a random list has every price');
      const chargedUp = charge.micros + (charge.fractionPicos > 0 ? 1n : 0n);
      expect(chargedUp, `turn ${turn}`).toBeLessThanOrEqual(hold.micros);
      if (tariff.tiers.some(({ fromTokens }) => fromTokens < 900)) reached += 1;
    }
    expect(reached).toBeGreaterThan(500);
  });

  it('covers a cheaper tier that a shorter measure would miss', () => {
    const tariff = parsed({ perMillion, tiers: [{ above: 10, perMillion: { input_text_tokens: '0.5' } }] });
    const estimate = used(12);
    expect(chargeOf(tariff, used(10))).toEqual({ micros: 10n, fractionPicos: 0 });
    expect(holdOf(tariff, estimate)).toBeGreaterThanOrEqual(10n);
  });

  it('prices what was used as a longer request where more input is to come', () => {
    const tariff = parsed({ perMillion, tiers: [long] });
    const priced = (more: number) =>
      priceEstimate(tariff, [
        { unit: 'input_text_tokens', quantity: 10, exact: true },
        { unit: 'input_text_tokens', quantity: more, exact: true },
      ]);
    expect(priced(199_990)).toEqual({ kind: 'picos', picos: 200_000_000_000n });
    expect(priced(199_991)).toEqual({ kind: 'picos', picos: 400_002_000_000n });
  });
});
