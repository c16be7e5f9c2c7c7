import { NotExecuted, type NotExecutedReason } from './not-executed.ts';
import type { Attempt } from './call-context.ts';
import { UnknownOutcome, type UnknownOutcomeDetail } from './unknown-outcome.ts';
import { readUpstreamIds, type UpstreamIds } from './upstream-id.ts';

/** An upstream request without a whole answer, as `exchange` of `@tollgate/connection-pool` tells it. */
export type UnansweredCall =
  | {
      readonly kind: 'not_sent';
      readonly why: 'aborted' | 'timed_out' | 'unreachable' | 'refused' | 'body_unfinished' | 'body_unreadable';
      readonly cause: unknown;
    }
  | {
      readonly kind: 'lost';
      readonly detail: UnknownOutcomeDetail;
      /** Where the headers came. */
      readonly status: number | null;
      /** Names in lower case; none where they did not come. */
      readonly headers?: Readonly<Record<string, unknown>>;
      readonly cause: unknown;
    };

const reasonOf = (why: Extract<UnansweredCall, { kind: 'not_sent' }>['why']): NotExecutedReason => {
  if (why === 'aborted') return 'cancelled';
  // The gateway's own blobs failed; the upstream may be well.
  return why === 'body_unreadable' ? 'failed' : 'unavailable';
};

/** What a call fails with whose request did not go out, or whose answer did not come. */
export const failureOfUnanswered = (call: UnansweredCall): NotExecuted | UnknownOutcome =>
  call.kind === 'lost'
    ? new UnknownOutcome(call.detail, call.cause)
    : new NotExecuted({ reason: reasonOf(call.why), cause: call.cause });

/** How the attempt of such a call is recorded. */
export const attemptOfUnanswered = (call: UnansweredCall): Pick<Attempt, 'status' | 'outcome'> & UpstreamIds =>
  call.kind === 'lost'
    ? { status: call.status, outcome: 'unknown', ...readUpstreamIds(call.headers ?? {}) }
    : { status: null, outcome: 'not_sent' };
