/** What is known of a call whose outcome is not. */
export type UnknownOutcomeDetail =
  | 'aborted'
  | 'connection_lost'
  | 'interrupted'
  | 'part_executed'
  | 'unreadable_answer'
  | 'upstream_error'
  | `status_${number}`;

/**
 * The model may have run and may bill: the operation becomes uncertain. Deliberately not `NotExecuted`. The message is made
 * here and never holds upstream text; `cause` is for the log only.
 */
export class UnknownOutcome extends Error {
  readonly code = 'unknown_outcome';
  readonly detail: UnknownOutcomeDetail;

  constructor(detail: UnknownOutcomeDetail, cause?: unknown) {
    super(`outcome unknown: ${detail}`, { cause });
    this.name = 'UnknownOutcome';
    this.detail = detail;
  }
}
