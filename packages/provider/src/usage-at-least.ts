import { asArray, asCount, asObject } from './untrusted-value.ts';
import { usageUnits, type Usage } from './usage.ts';

/**
 * What a failure says was used at the least. It may come from another copy of this package, or from an adapter that checks
 * nothing: unknown units and quantities that are no counts are left out, and units that repeat are added up.
 */
export const readUsageAtLeast = (failure: unknown): readonly Usage[] => {
  const thrown = asObject(failure);
  if (thrown?.['code'] !== 'unknown_outcome') return [];
  const quantities = new Map<Usage['unit'], number>();
  for (const given of asArray(thrown['usageAtLeast'])) {
    const meter = asObject(given);
    const unit = usageUnits.find((known) => known === meter?.['unit']);
    const quantity = asCount(meter?.['quantity']);
    if (unit === undefined || quantity === undefined) continue;
    const sum = (quantities.get(unit) ?? 0) + quantity;
    if (Number.isSafeInteger(sum)) quantities.set(unit, sum);
  }
  return Array.from(quantities, ([unit, quantity]) => ({ unit, quantity, confirmed: false }));
};
