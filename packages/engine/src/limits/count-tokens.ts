import { isUsageUnit, unitFacts } from '@tollgate/provider';

/** The tokens among quantities of units: all that a model reads and writes counts, from a cache or not. */
export const countTokens = (quantities: readonly { readonly unit: string; readonly quantity: number }[]): number => {
  let tokens = 0;
  for (const { unit, quantity } of quantities)
    // What nothing bounds cannot be reserved; it counts when it is measured.
    if (isUsageUnit(unit) && unitFacts[unit].isTokens && Number.isFinite(quantity)) tokens += quantity;
  return Math.ceil(tokens);
};
