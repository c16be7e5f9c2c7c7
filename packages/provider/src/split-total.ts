import type { UsageUnit } from './usage.ts';

/** How much of a unit there was. */
export type UsageShare = readonly [unit: UsageUnit, quantity: number];

/**
 * Takes the shares out of a total, so that units never overlap and their sum is the total, even where an upstream tells more
 * of a share than there is left. What no share has is of the unit `rest`, an explicit zero too; shares of nothing are left out.
 */
export const splitTotal = (total: number, rest: UsageUnit, shares: readonly UsageShare[]): readonly UsageShare[] => {
  let left = total;
  const parts: UsageShare[] = [];
  for (const [unit, quantity] of shares) {
    const taken = Math.min(quantity, left);
    left -= taken;
    if (taken > 0) parts.push([unit, taken]);
  }
  return [[rest, left], ...parts];
};
