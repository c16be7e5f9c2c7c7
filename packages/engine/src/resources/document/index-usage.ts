import type { Usage } from '@tollgate/provider';
import type { Quantities } from '../../ledger/price-usage.ts';

/** Tokens embedded for an index are metered as such; a price list without a price for them has that of embedding. */
const indexUnit = (unit: Usage['unit']): Usage['unit'] => (unit === 'embedding_tokens' ? 'indexing_tokens' : unit);

/** What an embedding call used, as indexing is metered. */
export const toIndexUsage = (usage: readonly Usage[]): readonly Usage[] =>
  usage.map((meter) => ({ ...meter, unit: indexUnit(meter.unit) }));

export const toIndexEstimate = (estimate: Quantities): Quantities =>
  estimate.map((meter) => ({ ...meter, unit: indexUnit(meter.unit) }));

/** Two measures as one; what either leaves unconfirmed is unconfirmed. */
export const addUsage = (sum: readonly Usage[], more: readonly Usage[]): readonly Usage[] => {
  const byUnit = new Map(sum.map((meter) => [meter.unit, meter]));
  for (const { unit, quantity, confirmed } of more) {
    const known = byUnit.get(unit);
    byUnit.set(unit, {
      unit,
      quantity: quantity + (known?.quantity ?? 0),
      confirmed: confirmed && known?.confirmed !== false,
    });
  }
  return [...byUnit.values()];
};
