import type { UsageUnit } from '@tollgate/provider';
import type { Estimate } from '../../ledger/hold.ts';

/** What an operation may use at the most, as JSON keeps it. */
export type StoredEstimate = readonly {
  readonly unit: UsageUnit;
  /** Null where nothing bounds it. */
  readonly quantity: number | null;
  readonly or: readonly UsageUnit[];
  readonly ifPriced: boolean;
  readonly exact: boolean;
}[];

export const toStoredEstimate = (estimate: Estimate): StoredEstimate =>
  estimate.map(({ unit, quantity, or = [], ifPriced, exact }) => ({
    unit,
    quantity: Number.isFinite(quantity) ? quantity : null,
    or,
    ifPriced: ifPriced === true,
    exact: exact === true,
  }));

export const fromStoredEstimate = (stored: StoredEstimate): Estimate =>
  stored.map(({ unit, quantity, or, ifPriced, exact }) => ({
    unit,
    quantity: quantity ?? Infinity,
    or,
    ifPriced: ifPriced || undefined,
    exact: exact || undefined,
  }));
