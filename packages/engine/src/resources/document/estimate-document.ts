import { estimateEmbedding } from '../../ledger/estimate-embedding.ts';
import type { ModelTariff } from '../../ledger/model-prices.ts';
import type { Quantities } from '../../ledger/price-usage.ts';
import { defaultDocumentLimits, type DocumentLimits } from './document-limits.ts';
import { toIndexEstimate } from './index-usage.ts';

type Sizes = Pick<DocumentLimits, 'charactersMax' | 'chunkCharactersMax' | 'overlapCharacters'>;

// G42
/**
 * What indexing a file may use, by its size, before it is read: as many characters as it has bytes, cut into chunks
 * that repeat a part of each other. A PDF with more text than bytes is settled from free balance.
 */
export const estimateDocument = (
  sizeBytes: number,
  tariff: ModelTariff | null,
  limits: Sizes = defaultDocumentLimits,
): Quantities => {
  const characters = Math.min(sizeBytes, limits.charactersMax);
  const stepCharacters = limits.chunkCharactersMax - limits.overlapCharacters;
  const chunks = Math.max(1, Math.ceil(characters / stepCharacters));
  // As long as the text of every chunk, and of the same price: a text of letters that have one byte each.
  const text = 'x'.repeat(Math.min(limits.chunkCharactersMax, Math.max(1, characters)));
  const one = { upstreamModel: '', input: { kind: 'texts', texts: [text] } } as const;
  const perChunk = toIndexEstimate(estimateEmbedding(one, tariff));
  return perChunk.map(({ unit, quantity }) => ({ unit, quantity: quantity * chunks }));
};
