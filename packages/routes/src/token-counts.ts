import { isUsageUnit, unitFacts, type UnitFacts } from '@tollgate/provider';
import type { OperationRecord } from '@tollgate/storage';

/** Tokens that an operation used, with what each unit of them is. */
export type TokenCounts = readonly { readonly facts: UnitFacts; readonly quantity: number }[];

/** What an operation used of units that count tokens. Units that no longer exist are left out. */
export const tokenCounts = ({ usage }: OperationRecord): TokenCounts =>
  (usage ?? []).flatMap(({ unit, quantity }) =>
    isUsageUnit(unit) && unitFacts[unit].isTokens ? [{ facts: unitFacts[unit], quantity }] : [],
  );

/** The sum of those that a test selects; of all without one. */
export const sumTokens = (counts: TokenCounts, isCounted: (facts: UnitFacts) => boolean = () => true): number =>
  counts.reduce((sum, { facts, quantity }) => (isCounted(facts) ? sum + quantity : sum), 0);
