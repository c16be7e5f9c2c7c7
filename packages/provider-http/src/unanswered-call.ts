import {
  NotExecuted,
  readUpstreamIds,
  UnknownOutcome,
  type Attempt,
  type NotExecutedReason,
  type UpstreamIds,
} from '@tollgate/provider';
import type { WireOutcome } from './exchange.ts';

/** An upstream request without a whole answer. */
export type UnansweredCall = Extract<WireOutcome, { readonly kind: 'lost' | 'not_sent' }>;

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
    ? { status: call.status, outcome: 'unknown', ...readUpstreamIds(call.headers) }
    : { status: null, outcome: 'not_sent' };
