import { isUsageUnit, unitFacts, type Usage, type UsageUnit } from '@tollgate/provider';
import type { UsageRecord } from '@tollgate/storage';
import type { Quantities } from '../../ledger/price-usage.ts';

/** What a cache holds, as the gateway knows it. */
export interface CacheTokens {
  /** As counted by the upstream, else by a bound from above for an ordinary text. */
  readonly tokens: Quantities;
  /** What it holds for certain: all of `tokens` where the upstream counted them. */
  readonly tokensMin?: Quantities;
}

const totalOf = (quantities: Quantities): number => quantities.reduce((sum, { quantity }) => sum + quantity, 0);

const quantityOf = (quantities: Quantities, unit: UsageUnit): number =>
  totalOf(quantities.filter((each) => each.unit === unit));

const isInput = (unit: UsageUnit): boolean => unitFacts[unit].cachedAs !== null || unitFacts[unit].isCached;

/**
 * The usage of a call whose cached contents were sent along: of its input, as much as the cache holds is a read of the cache, but no
 * more than it holds for certain or than is left beside the call's own input at its most. So a cache that holds less than its bound
 * never makes the own input of a call a read. The sum of all units has the same limit: an upstream may report media as text. What
 * the upstream found cached by itself is part of what is read.
 */
export const cachedUsage = (
  usage: readonly Usage[],
  { tokens, tokensMin = [] }: CacheTokens,
  ownMax: Quantities,
): readonly Usage[] => {
  const quantities = new Map(usage.map((meter) => [meter.unit, meter]));
  const taken = totalOf(usage.filter(({ unit }) => isInput(unit)));
  let left = Math.max(totalOf(tokensMin), taken - totalOf(ownMax));
  for (const { unit, quantity } of tokens) {
    const { cachedAs: cached } = unitFacts[unit];
    const input = quantities.get(unit);
    if (cached === null || input === undefined) continue;
    const already = quantities.get(cached)?.quantity ?? 0;
    const beside = input.quantity + already - quantityOf(ownMax, unit);
    const held = Math.min(quantity, left, Math.max(quantityOf(tokensMin, unit), beside));
    const read = Math.min(Math.max(0, held - already), input.quantity);
    left -= Math.min(quantity, already + read);
    quantities.set(unit, { ...input, quantity: input.quantity - read });
    quantities.set(cached, { unit: cached, quantity: already + read, confirmed: input.confirmed });
  }
  return [...quantities.values()];
};

/** What a call reserves for the contents of a cache where the upstream keeps it: all of it is read. */
export const cachedEstimate = (tokens: Quantities): Quantities =>
  tokens.map(({ unit, quantity }) => ({ unit: unitFacts[unit].cachedAs ?? unit, quantity }));

/** The same where the contents are sent along: told apart as the usage will be, if the call uses all of its own estimate. */
export const sentEstimate = (kept: CacheTokens, own: Quantities, ownMax: Quantities): Quantities => {
  const whole = kept.tokens.map(({ unit, quantity }) => ({
    unit,
    quantity: quantity + quantityOf(own, unit),
    confirmed: true,
  }));
  const rest = own.flatMap(({ unit, quantity }) =>
    whole.some((each) => each.unit === unit) ? [] : [{ unit, quantity, confirmed: true }],
  );
  const told = cachedUsage([...whole, ...rest], kept, ownMax);
  return kept.tokens.flatMap(({ unit, quantity }) => {
    const { cachedAs: cached } = unitFacts[unit];
    const read = cached === null ? 0 : quantityOf(told, cached);
    const full = quantity - read;
    return [
      ...(cached === null ? [] : [{ unit: cached, quantity: read }]),
      ...(full === 0 ? [] : [{ unit, quantity: full }]),
    ];
  });
};

/** Recorded usage as a measure, without units that no longer exist. */
export const toConfirmed = (usage: readonly UsageRecord[]): readonly Usage[] =>
  usage.flatMap(({ unit, quantity }) => (isUsageUnit(unit) ? [{ unit, quantity, confirmed: true }] : []));
