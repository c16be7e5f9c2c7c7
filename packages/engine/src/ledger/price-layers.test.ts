import { describe, expect, it } from 'vitest';
import { holdOf } from './hold.ts';
import { chargeOf, type Quantities } from './price-usage.ts';
import { createPriceLists } from './price-lists.ts';
import { findPrices, parseTariff, type PriceQuery } from './tariff.ts';
import type { TariffInput } from './tariff-input.ts';

const list: TariffInput = {
  version: 't1',
  models: {
    m: {
      perMillion: { input_text_tokens: '1', output_text_tokens: '4' },
      requestFee: '0.00001',
      chargeMinimum: '0.00002',
      tiers: [{ above: 100, perMillion: { input_text_tokens: '2' } }],
      batch: { factor: '0.5', perMillion: { output_text_tokens: '1' } },
      providers: { costly: { perMillion: { input_text_tokens: '3' } } },
    },
    other: { perMillion: { input_text_tokens: '1' } },
  },
  plans: {
    pro: { factor: '0.9', models: { m: { perMillion: { output_text_tokens: '2' }, requestFee: '0' } } },
    flat: { models: { '*': { perMillion: { input_text_tokens: '5' } } } },
  },
  customers: { big: { factor: '0.5' }, exact: { models: { m: { tiers: [], chargeMinimum: '0' } } } },
};

const tariff = parseTariff(list);

const charged = (query: Partial<PriceQuery>, used: Quantities, provider: string | null = null): bigint | undefined => {
  const prices = findPrices(tariff, { model: 'm', kind: 'chat', accountId: 'a1', plan: null, ...query });
  return prices === null ? undefined : chargeOf(prices, used, provider)?.micros;
};

const used = (input: number, output = 0): Quantities => [
  { unit: 'input_text_tokens', quantity: input },
  { unit: 'output_text_tokens', quantity: output },
];

describe('prices over a list', () => {
  it('are those of the list without a plan, and for a plan that the list does not have', () => {
    expect(charged({}, used(50, 10))).toBe(50n + 40n + 10n);
    expect(charged({ plan: 'gone' }, used(50, 10))).toBe(100n);
    // Names of every object are no plans.
    expect(charged({ plan: 'constructor', accountId: 'toString' }, used(50, 10))).toBe(100n);
  });

  it('take the factor of a plan for what it does not name, and its own prices as they are written', () => {
    expect(charged({ plan: 'pro' }, used(50, 10))).toBe(45n + 20n);
    expect(charged({ plan: 'flat' }, used(50))).toBe(250n + 10n);
    expect(charged({ plan: 'flat', model: 'other' }, used(50))).toBe(250n);
  });

  it('hold for every length where a plan names a unit, and by length where it does not', () => {
    expect(charged({ plan: 'pro' }, used(200))).toBe(360n);
    expect(charged({ plan: 'flat' }, used(200))).toBe(1_010n);
  });

  it('lay the prices of an account over its plan', () => {
    expect(charged({ accountId: 'big' }, used(50, 10))).toBe(25n + 20n + 5n);
    // 0.9 and then 0.5 of the input, 0.5 of the plan's own output.
    expect(charged({ accountId: 'big', plan: 'pro' }, used(100, 10))).toBe(45n + 10n);
    expect(charged({ accountId: 'exact' }, used(1))).toBe(1n + 10n);
    expect(charged({ accountId: 'exact' }, used(200))).toBe(200n + 10n);
  });

  it('keep the factor of batches, which applies to what the layers say', () => {
    expect(charged({ kind: 'batch' }, used(50, 10))).toBe(25n + 10n + 10n);
    expect(charged({ kind: 'batch', plan: 'flat' }, used(50))).toBe(125n + 10n);
    expect(charged({ kind: 'batch', accountId: 'big' }, used(100, 10))).toBe(25n + 5n + 5n);
  });

  it('do not give a model prices that the list does not have', () => {
    expect(charged({ model: 'unlisted', plan: 'flat' }, used(1))).toBeUndefined();
  });

  it('are marked up before any layer', () => {
    const marked = parseTariff({ ...list, markUp: '1.5' });
    const of = (plan: string | null) => {
      const prices = findPrices(marked, { model: 'm', kind: 'chat', accountId: 'a1', plan });
      return prices === null ? null : chargeOf(prices, used(50, 10))?.micros;
    };
    expect(of(null)).toBe(75n + 60n + 15n);
    expect(of('pro')).toBe(87n);
  });

  it('are found again as they were found first', () => {
    const query: PriceQuery = { model: 'm', kind: 'chat', accountId: 'big', plan: 'pro' };
    expect(findPrices(tariff, query)).toBe(findPrices(tariff, { ...query }));
    expect(findPrices(tariff, { ...query, accountId: 'a2' })).toBe(findPrices(tariff, { ...query, accountId: 'a3' }));
    expect(findPrices(tariff, query)).not.toBe(findPrices(tariff, { ...query, plan: null }));
  });
});

describe('prices by the provider that carried an operation out', () => {
  it('hold for that provider, and a hold covers the most expensive of them', () => {
    expect(charged({}, used(50), 'costly')).toBe(150n + 10n);
    expect(charged({}, used(50), 'cheap')).toBe(60n);
    const prices = findPrices(tariff, { model: 'm', kind: 'chat', accountId: 'a1', plan: null });
    expect(holdOf(prices, used(50))).toBe(160n);
  });

  it('give way to the prices of a length', () => {
    expect(charged({}, used(101), 'costly')).toBe(202n + 10n);
  });

  it('give way to what a plan names', () => {
    expect(charged({ plan: 'flat' }, used(50), 'costly')).toBe(260n);
  });
});

const listsAt = (nowMs: number) => {
  const first = parseTariff({ version: 'first', models: {} });
  const later = parseTariff({ version: 'later', models: {}, validFrom: '2026-12-01T00:00:00+01:00' });
  const last = parseTariff({ version: 'last', models: {}, validFrom: '2027-01-01T00:00:00Z' });
  return createPriceLists([first, last, later], () => nowMs);
};

describe('price lists with a date', () => {
  it('take over at their time', () => {
    const atMs = Date.parse('2026-11-30T23:00:00Z');
    expect(listsAt(atMs - 1).current().version).toBe('first');
    expect(listsAt(atMs).current().version).toBe('later');
    expect(listsAt(Date.parse('2027-06-01T00:00:00Z')).current().version).toBe('last');
  });

  it('hold for operations that were opened under them, and the present one for those of a list that is unknown', () => {
    const lists = listsAt(Date.parse('2027-06-01T00:00:00Z'));
    expect(lists.of('first').version).toBe('first');
    expect(lists.of('gone').version).toBe('last');
  });

  it.each(['2026-12-01', '2026-12-01T00:00:00', 'tomorrow', '2026-13-01T00:00:00Z'])(
    'refuse %s, which is no instant',
    (validFrom) => {
      expect(() => parseTariff({ version: 't1', models: {}, validFrom })).toThrow('validFrom');
    },
  );
});
