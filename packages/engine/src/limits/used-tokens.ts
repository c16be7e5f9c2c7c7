import type { OperationOutcome } from '../operations/operation-plan.ts';
import { countTokens } from './count-tokens.ts';

/** Refusals after which something may have run whose measure is not known, or not yet paid. */
const mayHaveRun: ReadonlySet<string> = new Set(['request_failed', 'settlement_pending']);

/** The tokens that an executed operation used, for its limits; null where they are unknown, and the estimate stands. */
export const usedTokens = (outcome: OperationOutcome): number | null => {
  if (outcome.kind === 'completed') {
    const { usage } = outcome.operation;
    return usage === null ? null : countTokens(usage);
  }
  return mayHaveRun.has(outcome.code) ? null : 0;
};
