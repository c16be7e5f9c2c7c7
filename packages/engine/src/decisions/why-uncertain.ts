import type { OperationRecord } from '@tollgate/storage';

/** Why an operation is uncertain, as far as its record says. */
export type UncertainReason =
  /** It is measured, and the free balance did not cover the amount: a deposit that does settles it. */
  | { readonly kind: 'waits_for_balance'; readonly amountMicros: bigint }
  /** An upstream request may have run. */
  | { readonly kind: 'outcome_unknown' }
  /** The upstream answered, and reported no usage that could be priced. */
  | { readonly kind: 'no_usage' }
  /** No upstream request is on record: the process that ran it ended, or its provider recorded none. */
  | { readonly kind: 'nothing_recorded' };

type Facts = Pick<OperationRecord, 'state' | 'pendingMicros' | 'attempts' | 'answer'>;

/** Reads from the record why an operation is uncertain; null where it is not. */
export const whyUncertain = ({ state, pendingMicros, attempts, answer }: Facts): UncertainReason | null => {
  if (state !== 'uncertain') return null;
  if (pendingMicros !== null) return { kind: 'waits_for_balance', amountMicros: pendingMicros };
  if (attempts.some(({ outcome }) => outcome === 'unknown')) return { kind: 'outcome_unknown' };
  if (answer === 'partial') return { kind: 'outcome_unknown' };
  if (answer !== 'none' || attempts.some(({ outcome }) => outcome === 'answered')) return { kind: 'no_usage' };
  return { kind: attempts.length === 0 ? 'nothing_recorded' : 'outcome_unknown' };
};
