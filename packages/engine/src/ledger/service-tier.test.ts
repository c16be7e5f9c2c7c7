import { expect, test } from 'vitest';
import { chargedFactor, heldFactor, standardFactor, type TierFactors } from './service-tier.ts';

/** Two tiers that are sold, one below the standard price and one above it; `scale` is not. */
const factors: TierFactors = new Map([
  ['flex', 500_000n],
  ['priority', 2_000_000n],
]);

test.each<readonly [asked: string | null, held: bigint | null]>([
  [null, standardFactor],
  ['standard', standardFactor],
  ['flex', standardFactor],
  ['priority', 2_000_000n],
  ['scale', null],
])('what is asked for as %s is held by %s', (serviceTier, held) => {
  expect(heldFactor(factors, { serviceTier })).toBe(held);
});

test.each<readonly [asked: string | null, served: string | null, charged: bigint | null]>([
  [null, null, standardFactor],
  [null, 'priority', standardFactor],
  ['standard', 'priority', standardFactor],
  ['standard', 'flex', standardFactor],
  ['flex', null, 500_000n],
  ['flex', 'flex', 500_000n],
  ['flex', 'standard', standardFactor],
  ['flex', 'priority', standardFactor],
  ['priority', null, 2_000_000n],
  ['priority', 'standard', standardFactor],
  ['priority', 'flex', 500_000n],
  // A tier that is not sold has no price: what was asked for counts.
  ['priority', 'scale', 2_000_000n],
  ['scale', 'flex', null],
])('what was asked for as %s and served as %s is charged by %s', (serviceTier, servedTier, charged) => {
  expect(chargedFactor(factors, { serviceTier, servedTier })).toBe(charged);
});

test('a tier that a price list does not sell has no price, and is never charged as another one', () => {
  const sold: TierFactors = new Map([['priority', 2_000_000n]]);
  expect(heldFactor(sold, { serviceTier: 'flex' })).toBeNull();
  expect(chargedFactor(sold, { serviceTier: 'flex', servedTier: 'priority' })).toBeNull();
  expect(chargedFactor(sold, { serviceTier: 'priority', servedTier: 'flex' })).toBe(2_000_000n);
});
