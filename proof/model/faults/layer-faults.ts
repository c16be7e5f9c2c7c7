import { priceTheme } from '../price-theme.ts';
import type { Fault } from './fault.ts';

export const layerFaults: readonly Fault[] = [
  {
    name: 'gives an account of a plan the prices of the list',
    caughtBy: 'answers_as_the_model',
    theme: priceTheme,
    put: (real) => ({ findPrices: (list, query) => real.findPrices(list, { ...query, plan: null }) }),
  },
  {
    name: 'forgets what one customer has agreed',
    caughtBy: 'answers_as_the_model',
    theme: priceTheme,
    put: (real) => ({ findPrices: (list, query) => real.findPrices(list, { ...query, accountId: 'another' }) }),
  },
  {
    name: 'charges the items of a batch what direct calls cost',
    caughtBy: 'answers_as_the_model',
    theme: priceTheme,
    put: (real) => ({ findPrices: (list, query) => real.findPrices(list, { ...query, kind: 'chat' }) }),
  },
  {
    name: 'charges the price of the list whoever carried it out',
    caughtBy: 'answers_as_the_model',
    theme: priceTheme,
    put: (real) => ({ charge: (prices, quantities) => real.charge(prices, quantities, null) }),
  },
  {
    name: 'charges the service tier that was asked for, whatever was served',
    caughtBy: 'answers_as_the_model',
    theme: priceTheme,
    put: (real) => ({ findPrices: (list, query) => real.findPrices(list, { ...query, servedTier: null }) }),
  },
  {
    name: 'charges a service tier that was not asked for',
    caughtBy: 'answers_as_the_model',
    theme: priceTheme,
    put: (real) => ({
      findPrices: (list, query) => real.findPrices(list, { ...query, serviceTier: query.servedTier }),
    }),
  },
  {
    name: 'holds for the service tier that was asked for alone',
    caughtBy: 'answers_as_the_model',
    theme: priceTheme,
    put: (real) => ({
      findHoldPrices: (list, query) => real.findPrices(list, { ...query, servedTier: null }),
    }),
  },
  {
    name: 'holds by the prices of an account without a plan',
    caughtBy: 'answers_as_the_model',
    theme: priceTheme,
    put: (real) => ({ findHoldPrices: (list, query) => real.findHoldPrices(list, { ...query, plan: null }) }),
  },
  {
    name: 'raises a hold by what the rest costs by itself',
    caughtBy: 'answers_as_the_model',
    theme: priceTheme,
    put: (real) => ({
      raiseHold: (prices, opened, more) => {
        const first = real.raiseHold(prices, opened, []);
        const rest = prices && { ...prices, requestFeeMicros: 0n, holdMinimumMicros: 0n, chargeMinimumMicros: 0n };
        const second = real.raiseHold(rest, more, []);
        return first === null || second === null ? null : first + second;
      },
    }),
  },
  {
    name: 'takes the items of a batch of which the sum is said for one long item',
    caughtBy: 'answers_as_the_model',
    theme: priceTheme,
    put: (real) => ({ priceAllItems: (prices, _items, usage) => real.priceAllItems(prices, [], usage) }),
  },
  {
    name: 'counts items that did not run into the mean length',
    caughtBy: 'answers_as_the_model',
    theme: priceTheme,
    put: (real) => ({
      priceAllItems: (prices, items, usage) =>
        real.priceAllItems(
          prices,
          items.map((item) => ({ ...item, state: 'unknown' })),
          usage,
        ),
    }),
  },
];
