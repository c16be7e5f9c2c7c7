import { usageUnits, type Usage, type UsageUnit } from '@tollgate/provider';
import type { UsageRecord } from '@tollgate/storage';
import type { Quantities } from '../../tariff.ts';

/** What input of a unit is called where it came from a cache. */
const cachedUnits: Readonly<Partial<Record<UsageUnit, UsageUnit>>> = {
  input_text_tokens: 'cached_input_tokens',
  input_image_tokens: 'cached_image_tokens',
  input_audio_tokens: 'cached_audio_tokens',
  input_video_tokens: 'cached_video_tokens',
  input_document_tokens: 'cached_document_tokens',
};

/** What is reserved for the contents of a cache in a call that names it. */
export const cachedEstimate = (tokens: Quantities): Quantities =>
  tokens.map(({ unit, quantity }) => ({ unit: cachedUnits[unit] ?? unit, quantity }));

/**
 * The usage of a call whose cached contents were sent along: of its input, as much as the cache holds is a read of the cache.
 * What the upstream found cached by itself is part of that.
 */
export const cachedUsage = (usage: readonly Usage[], tokens: Quantities): readonly Usage[] => {
  const quantities = new Map(usage.map((meter) => [meter.unit, meter]));
  for (const { unit, quantity } of tokens) {
    const cached = cachedUnits[unit];
    const input = quantities.get(unit);
    if (cached === undefined || input === undefined) continue;
    const already = quantities.get(cached)?.quantity ?? 0;
    const read = Math.min(Math.max(0, quantity - already), input.quantity);
    quantities.set(unit, { ...input, quantity: input.quantity - read });
    quantities.set(cached, { unit: cached, quantity: already + read, confirmed: input.confirmed });
  }
  return [...quantities.values()];
};

const isUnit = (unit: string): unit is UsageUnit => usageUnits.some((known) => known === unit);

/** Usage that was noted, as a measure; a unit that nobody knows any more is none. */
export const toConfirmed = (usage: readonly UsageRecord[]): readonly Usage[] =>
  usage.flatMap(({ unit, quantity }) => (isUnit(unit) ? [{ unit, quantity, confirmed: true }] : []));
