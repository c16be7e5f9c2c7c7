import { isPricedTier, type PricedTier } from '@tollgate/provider';

/** What each service tier costs of the standard price, in millionths, as far as a price list sells it. */
export type TierFactors = ReadonlyMap<PricedTier, bigint>;

/** Of the standard price, in millionths. */
export const standardFactor = 1_000_000n;

/** How an operation was asked for and served; null where nothing was said. */
export interface TierOfOperation {
  readonly serviceTier?: string | null | undefined;
  readonly servedTier?: string | null | undefined;
}

const factorOf = (factors: TierFactors, tier: string): bigint | null => {
  if (tier === 'standard') return standardFactor;
  return isPricedTier(tier) ? (factors.get(tier) ?? null) : null;
};

const isUnasked = (tier: string | null | undefined): tier is null | undefined | 'standard' =>
  tier === null || tier === undefined || tier === 'standard';

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);
const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/** What is reserved by: the more expensive of the tier asked for and the standard one, since an upstream may serve either. Null where it has no price. */
export const heldFactor = (factors: TierFactors, { serviceTier }: TierOfOperation): bigint | null => {
  if (isUnasked(serviceTier)) return standardFactor;
  const asked = factorOf(factors, serviceTier);
  return asked === null ? null : larger(asked, standardFactor);
};

/**
 * What is charged by: the tier that was served, and never more than is reserved. Where nothing is known of that, the tier asked for.
 * What was asked for without a tier is charged as standard, whatever the upstream made of it. Null where the tier has no price.
 */
export const chargedFactor = (factors: TierFactors, tiers: TierOfOperation): bigint | null => {
  const { serviceTier, servedTier = null } = tiers;
  if (isUnasked(serviceTier)) return standardFactor;
  const held = heldFactor(factors, tiers);
  const asked = factorOf(factors, serviceTier);
  if (held === null || asked === null) return null;
  const served = servedTier === null ? null : factorOf(factors, servedTier);
  return smaller(served ?? asked, held);
};
