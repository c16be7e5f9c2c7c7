import { creditsFromMicros, whyUncertain } from '@tollgate/engine';
import type { OperationRecord } from '@tollgate/storage';

/** Why an operation is uncertain, and what settles it; null where it is not. */
export const uncertainText = (operation: OperationRecord): string | null => {
  const why = whyUncertain(operation);
  switch (why?.kind) {
    case undefined:
      return null;
    case 'waits_for_balance':
      return `uncertain: measured ${creditsFromMicros(why.amountMicros)} credits, which the free balance does not cover; a deposit that covers them settles it`;
    case 'outcome_unknown':
      return 'uncertain: the outcome of an upstream request is unknown';
    case 'no_usage':
      return 'uncertain: the upstream answered and reported no usage that has a price';
    case 'nothing_recorded':
      return 'uncertain: no upstream request is on record; its process ended, or its provider recorded none';
  }
};
