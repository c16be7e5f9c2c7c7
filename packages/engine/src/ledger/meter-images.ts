import { generationParts, type Generation, type Step, type Usage } from '@tollgate/provider';
import type { Engine } from '../engine.ts';
import type { ModelTariff } from './model-prices.ts';
import { pricesOf, type Priced } from './operation-prices.ts';
import { pricesImages } from './price-usage.ts';

/**
 * A measure with the images that came, counted here where the price list charges images by the piece and the provider has metered
 * tokens only. What the provider says of images stands; where nothing was measured, nothing is added.
 */
const meterImages = (prices: ModelTariff | null, usage: readonly Usage[], images: number): readonly Usage[] => {
  if (prices === null || !pricesImages(prices) || images === 0 || usage.length === 0) return usage;
  if (usage.some(({ unit }) => unit === 'images')) return usage;
  return [...usage, { unit: 'images', quantity: images, confirmed: true }];
};

const isImage = (mimeType: string): boolean => mimeType.startsWith('image/');

/** What a generation used, its images counted where they are charged by the piece. */
export const meterGeneration = (
  prices: ModelTariff | null,
  generation: Generation,
  usage: readonly Usage[] = generation.usage,
): readonly Usage[] => {
  const images = generationParts(generation).filter(
    (part) => (part.kind === 'media' || part.kind === 'blob') && isImage(part.mimeType) && !('thought' in part),
  );
  return meterImages(prices, usage, images.length);
};

/** The same of an operation that was opened. */
export const meterOperation = (
  engine: Pick<Engine, 'policy'>,
  operation: Priced,
  generation: Generation,
  usage?: readonly Usage[],
): readonly Usage[] => meterGeneration(pricesOf(engine, operation), generation, usage);

/** The same of an interaction that a provider has carried out. */
export const meterSteps = (
  prices: ModelTariff | null,
  steps: readonly Step[],
  usage: readonly Usage[],
): readonly Usage[] => {
  const contents = steps.flatMap((step) => (step.kind === 'model_output' ? step.content : []));
  const images = contents.filter((content) => content.kind !== 'text' && isImage(content.mimeType));
  return meterImages(prices, usage, images.length);
};
