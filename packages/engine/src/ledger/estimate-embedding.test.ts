import type { EmbeddingCall, EmbeddingInput } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { estimateEmbedding } from './estimate-embedding.ts';
import { holdOf } from './hold.ts';
import type { ModelTariffInput } from './tariff-input.ts';
import { listPrices, parseTariff } from './tariff.ts';

const callOf = (input: EmbeddingInput, more: Partial<EmbeddingCall> = {}) => ({ upstreamModel: 'm', input, ...more });
const texts = (...list: readonly string[]) => callOf({ kind: 'texts', texts: list });

const tariffOf = (perMillion: ModelTariffInput['perMillion']) =>
  listPrices(parseTariff({ version: 't', models: { m: { perMillion } } }), 'm');

const tokensOf = (call: Parameters<typeof estimateEmbedding>[0]): number =>
  estimateEmbedding(call, null).find(({ unit }) => unit === 'embedding_tokens')?.quantity ?? -1;

test('counts every text by its bytes and a little beside [ledger:hold:estimate]', () => {
  expect(tokensOf(texts('x'.repeat(400)))).toBe(108);
  expect(tokensOf(texts('x'.repeat(400), 'y'.repeat(40)))).toBe(126);
  expect(tokensOf({ ...texts('abcd', 'abcd'), title: 'x'.repeat(40) })).toBe(38);
});

test('counts content by its media and texts', () => {
  const parts = [
    { kind: 'media', mimeType: 'image/png', data: 'AAAA' },
    { kind: 'text', text: 'abcd' },
    {
      kind: 'blob',
      mimeType: 'application/pdf',
      sizeBytes: 400,
      read: () => {
        throw new Error('an estimate reads nothing');
      },
    },
  ] as const;
  expect(tokensOf(callOf({ kind: 'content', parts }))).toBe(8 + 2_600 + 1 + 100);
});

const units = (perMillion: ModelTariffInput['perMillion']) =>
  estimateEmbedding(texts('a', 'b'), tariffOf(perMillion)).map(({ unit, quantity }) => [unit, quantity]);

test('counts inputs where the price list has a price for them, and tokens unless it has none for those', () => {
  expect(units({ embedding_tokens: 1 })).toEqual([['embedding_tokens', 18]]);
  expect(units({ input_text_tokens: 1, embedding_inputs: 1 })).toEqual([
    ['embedding_tokens', 18],
    ['embedding_inputs', 2],
  ]);
  expect(units({ embedding_inputs: 1 })).toEqual([['embedding_inputs', 2]]);
});

test('leaves a model without any price of an embedding without a hold', () => {
  const tariff = tariffOf({ output_text_tokens: 1 });
  expect(tariff === null ? undefined : holdOf(tariff, estimateEmbedding(texts('a'), tariff))).toBeNull();
});
