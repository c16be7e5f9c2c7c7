/** What an upstream sells beside its standard service: later and cheaper, or sooner and more expensive. */
export const pricedTiers = ['flex', 'priority'] as const;
export type PricedTier = (typeof pricedTiers)[number];

/** How a call is served. `standard` is what a call gets that asks for nothing. */
export type ServiceTier = PricedTier | 'standard';

export const isPricedTier = (value: unknown): value is PricedTier => pricedTiers.some((tier) => tier === value);

const servedTiers: ReadonlyMap<unknown, ServiceTier> = new Map<unknown, ServiceTier>([
  ['default', 'standard'],
  ['standard', 'standard'],
  ['on_demand', 'standard'],
  ['flex', 'flex'],
  ['priority', 'priority'],
  ['fast', 'priority'],
]);

/** The tier that an upstream says it served, in any of its names; undefined where it says none that is known. */
export const readServedTier = (value: unknown): ServiceTier | undefined => servedTiers.get(value);
