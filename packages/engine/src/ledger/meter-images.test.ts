import type { Generation, Usage } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { meterGeneration } from './meter-images.ts';
import { listPrices, parseTariff } from './tariff.ts';

const pricesOf = (perMillion: Readonly<Record<string, string>>) =>
  listPrices(parseTariff({ version: 't', models: { m: { perMillion } } }), 'm');
const byPiece = pricesOf({ images: '1', input_text_tokens: '1' });

const tokens: readonly Usage[] = [{ unit: 'input_text_tokens', quantity: 3, confirmed: true }];
const image = { kind: 'media', mimeType: 'image/png', data: '' } as const;
const generation = (usage: readonly Usage[]): Generation => ({
  text: 'here',
  functionCalls: [],
  parts: [{ kind: 'text', text: 'here' }, image, image],
  finish: 'stop',
  usage,
});

test('images are counted where the price list charges them by the piece', () => {
  expect(meterGeneration(byPiece, generation(tokens))).toEqual([
    ...tokens,
    { unit: 'images', quantity: 2, confirmed: true },
  ]);
});

test('images are not counted without such a price, beside a count of the provider, or where nothing was measured', () => {
  expect(meterGeneration(pricesOf({ input_text_tokens: '1' }), generation(tokens))).toEqual(tokens);
  expect(meterGeneration(null, generation(tokens))).toEqual(tokens);
  const counted: readonly Usage[] = [...tokens, { unit: 'images', quantity: 1, confirmed: true }];
  expect(meterGeneration(byPiece, generation(counted))).toEqual(counted);
  expect(meterGeneration(byPiece, generation([]))).toEqual([]);
});
