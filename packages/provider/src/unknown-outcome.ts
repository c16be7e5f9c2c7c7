import type { Usage } from './usage.ts';

/** What is known of a call whose outcome is not. */
export type UnknownOutcomeDetail =
  | 'aborted'
  | 'timed_out'
  | 'connection_lost'
  /** The model says that it broke off, or its answer ended without saying how. */
  | 'interrupted'
  /** One of several calls for one answer failed after others had run. */
  | 'part_executed'
  | 'response_too_large'
  | 'unreadable_answer'
  /** The stream ended cleanly, but before the answer did. */
  | 'answer_cut'
  | 'upstream_error'
  /** A question for a job was refused, or the job is none of ours: that says nothing of what became of it. */
  | 'not_answered'
  | `status_${number}`;

/**
 * The upstream may have run and may bill: the operation becomes uncertain. Deliberately not `NotExecuted`. The message is
 * made here and never holds upstream text; `cause` is for the log only.
 */
export class UnknownOutcome extends Error {
  readonly code = 'unknown_outcome';
  readonly detail: UnknownOutcomeDetail;
  /** What the upstream said before the outcome was lost that it had used: it may bill more, and not less. Empty where it said nothing. */
  readonly usageAtLeast: readonly Usage[];

  constructor(detail: UnknownOutcomeDetail, cause?: unknown, usageAtLeast: readonly Usage[] = []) {
    super(`outcome unknown: ${detail}`, { cause });
    this.name = 'UnknownOutcome';
    this.detail = detail;
    this.usageAtLeast = usageAtLeast.map(({ unit, quantity }) => ({ unit, quantity, confirmed: false }));
  }
}

/** The same failure with what is known to have been used; what says so itself, and what is certain, stays as it is. */
export const withUsageAtLeast = <Failure>(
  failure: Failure,
  usageAtLeast: readonly Usage[],
): Failure | UnknownOutcome => {
  if (!(failure instanceof UnknownOutcome) || failure.usageAtLeast.length > 0 || usageAtLeast.length === 0)
    return failure;
  return new UnknownOutcome(failure.detail, failure.cause, usageAtLeast);
};
