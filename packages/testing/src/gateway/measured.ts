import type { Usage, UsageUnit } from '@tollgate/provider';

/** Confirmed quantities by unit, as a provider reports them. */
export const measured = (...meters: readonly (readonly [UsageUnit, number])[]): readonly Usage[] =>
  meters.map(([unit, quantity]) => ({ unit, quantity, confirmed: true }));
