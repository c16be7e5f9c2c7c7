import { expect, test } from 'vitest';
import { holdOf, raisedHold, type Estimate } from '../../ledger/hold.ts';
import { listPrices, parseTariff } from '../../ledger/tariff.ts';
import { fromStoredEstimate, toStoredEstimate, type StoredEstimate } from './stored-estimate.ts';

const estimate: Estimate = [
  { unit: 'input_text_tokens', quantity: 60, exact: true },
  { unit: 'output_image_tokens', quantity: 10, or: ['output_audio_tokens'] },
  { unit: 'web_search_queries', quantity: Infinity, ifPriced: true },
];

const kept = (given: Estimate): Estimate => {
  const stored: StoredEstimate = JSON.parse(JSON.stringify(toStoredEstimate(given)));
  return fromStoredEstimate(stored);
};

const more = (quantity: number): Estimate => [{ unit: 'input_text_tokens', quantity }];

test('an estimate that was kept as JSON reserves what it reserved', () => {
  const perMillion = { input_text_tokens: 1, output_image_tokens: 2, output_audio_tokens: 30, cached_input_tokens: 5 };
  const prices = listPrices(parseTariff({ version: 't', models: { m: { perMillion } } }), 'm');
  expect(holdOf(prices, kept(estimate))).toBe(360n);
  expect(holdOf(prices, estimate)).toBe(360n);
});

test('a raised hold is by the prices that both parts reach together, and never below the first', () => {
  const tiers = [{ above: 100, perMillion: { input_text_tokens: 2, output_text_tokens: 9 } }];
  const model = { perMillion: { input_text_tokens: 1, output_text_tokens: 3 }, tiers, requestFee: '0.000007' };
  const prices = listPrices(parseTariff({ version: 't', models: { m: model } }), 'm');
  const opened: Estimate = [
    { unit: 'input_text_tokens', quantity: 60 },
    { unit: 'output_text_tokens', quantity: 10 },
  ];
  expect([holdOf(prices, opened), raisedHold(prices, opened, more(0))]).toEqual([97n, 97n]);
  expect(raisedHold(prices, opened, more(40))).toBe(137n);
  expect(raisedHold(prices, opened, more(41))).toBe(2n * 101n + 90n + 7n);
  expect(raisedHold(null, opened, more(1))).toBeNull();
});
