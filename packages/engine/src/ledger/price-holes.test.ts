import { defaultCatalog, type CatalogModel } from '@tollgate/contract';
import { expect, test } from 'vitest';
import { priceHoles } from './price-holes.ts';
import type { ModelTariffInput } from './tariff-input.ts';
import { listPrices, parseTariff } from './tariff.ts';

const rowOf = (id: string): CatalogModel => {
  const row = defaultCatalog.find((candidate) => candidate.id === id);
  if (row === undefined) throw new Error(`the catalog has no ${id}`);
  return row;
};

const holes = (row: CatalogModel, perMillion: ModelTariffInput['perMillion']) => {
  const tariff = listPrices(parseTariff({ version: 'a', models: { '*': { perMillion } } }), row.id);
  return priceHoles(row, { tariff, liveKind: 'live' });
};

const chat = rowOf('flash-3.8');
const embedding = { ...chat, family: 'embedding', routes: ['embeddings'] } as const;
const video = { ...chat, family: 'video', routes: ['videos'] } as const;

test('a chat model needs prices of the text that goes in and comes out, on each of its routes', () => {
  expect(holes(chat, { input_text_tokens: '1', output_text_tokens: '1' })).toEqual([]);
  expect(holes(chat, { input_text_tokens: '0', output_text_tokens: '0' })).toEqual([]);
  expect(holes(chat, { images: '40000' })).toEqual(
    chat.routes.map((family) => ({ family, unit: 'input_text_tokens', reason: 'unpriced' })),
  );
  expect(holes(chat, { input_text_tokens: '1' })).toEqual(
    chat.routes.map((family) => ({ family, unit: 'output_text_tokens', reason: 'unpriced' })),
  );
});

test('vectors are priced by tokens or by texts, videos by seconds', () => {
  expect(holes(embedding, { embedding_inputs: '1' })).toEqual([]);
  expect(holes(embedding, { input_text_tokens: '1' })).toEqual([]);
  expect(holes(embedding, { images: '1' })).toEqual([
    { family: 'embeddings', unit: 'embedding_tokens', reason: 'unpriced' },
  ]);
  expect(holes(video, { output_video_tokens: '1' })).toEqual([
    { family: 'videos', unit: 'video_seconds', reason: 'unpriced' },
  ]);
});

test('a price of what nothing bounds is a hole as well', () => {
  const { unitsMax: _, ...rest } = chat;
  const image: CatalogModel = { ...rest, family: 'image', routes: ['generate'] };
  const prices = { input_text_tokens: '1', output_text_tokens: '1', images: '40000' };
  expect(holes(image, prices)).toEqual([{ family: 'generate', unit: 'images', reason: 'unbounded' }]);
  expect(holes({ ...image, unitsMax: { images: 4 } }, prices)).toEqual([]);
});

test('a model without any prices has a hole on every route', () => {
  expect(priceHoles(chat, { tariff: null, liveKind: 'live' })).toEqual(
    chat.routes.map((family) => ({ family, unit: null, reason: 'no_tariff' })),
  );
});
