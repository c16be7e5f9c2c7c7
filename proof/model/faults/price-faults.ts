import type { Fault } from './fault.ts';

export const priceFaults: readonly Fault[] = [
  {
    name: 'prices in floating point',
    caughtBy: 'answers_as_the_model',
    put: () => ({
      price: (tariff, quantities, rounding) => {
        const credits = quantities.reduce(
          (sum, { unit, quantity }) => sum + (quantity / 1e6) * (Number(tariff.picosPerUnit.get(unit) ?? 0n) / 1e6),
          0,
        );
        return BigInt(rounding === 'up' ? Math.ceil(credits * 1e6) : Math.round(credits * 1e6));
      },
    }),
  },
  {
    name: 'rounds every line by itself',
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      price: (tariff, quantities, rounding) =>
        quantities.reduce((sum, line) => sum + (real.price(tariff, [line], rounding) ?? 0n), 0n),
    }),
  },
  {
    name: 'rounds a charge up',
    caughtBy: 'answers_as_the_model',
    put: (real) => ({ price: (tariff, quantities) => real.price(tariff, quantities, 'up') }),
  },
  {
    name: 'rounds an estimate down',
    caughtBy: 'answers_as_the_model',
    put: (real) => ({ price: (tariff, quantities) => real.price(tariff, quantities, 'half_up') }),
  },
  {
    name: 'charges nothing for what is below half a micro-credit',
    caughtBy: 'answers_as_the_model',
    put: (real) => ({ charge: (tariff, quantities) => real.charge({ ...tariff, rounding: 'half_up' }, quantities) }),
  },
  {
    name: 'charges less than the minimum',
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      charge: (tariff, quantities) => real.charge({ ...tariff, chargeMinimumMicros: 0n }, quantities),
    }),
  },
  {
    name: 'charges the minimum where nothing was used',
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      charge: (tariff, quantities) =>
        quantities.every(({ quantity }) => quantity === 0)
          ? { micros: tariff.chargeMinimumMicros, fractionPicos: 0 }
          : real.charge(tariff, quantities),
    }),
  },
  {
    name: 'gives cached input away',
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      price: (tariff, quantities, rounding) =>
        real.price(
          tariff,
          quantities.filter(({ unit }) => unit !== 'cached_input_tokens'),
          rounding,
        ),
    }),
  },
  {
    name: 'leaves the fee of a request out',
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      charge: (tariff, quantities) => real.charge({ ...tariff, requestFeeMicros: 0n }, quantities),
    }),
  },
  {
    name: 'takes a tier of prices for input that is not above it',
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      charge: (tariff, quantities) => {
        const tiers = tariff.tiers.map((tier) => ({ ...tier, fromTokens: tier.fromTokens - 1 }));
        return real.charge({ ...tariff, tiers }, quantities);
      },
    }),
  },
  {
    name: 'counts input that was read from a cache as none for its length',
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      charge: (tariff, quantities) => {
        const cached = quantities.reduce(
          (sum, { unit, quantity }) => (unit === 'cached_input_tokens' ? sum + quantity : sum),
          0,
        );
        const tiers = tariff.tiers.map((tier) => ({ ...tier, fromTokens: tier.fromTokens + cached }));
        return real.charge({ ...tariff, tiers }, quantities);
      },
    }),
  },
];
