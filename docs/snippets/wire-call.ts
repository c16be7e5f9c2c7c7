import { exchange, type WireExchange, type WireOutcome } from '@tollgate/connection-pool';
import {
  attemptOfUnanswered,
  failureOfUnanswered,
  isCertainStatus,
  jsonBody,
  NotExecuted,
  reasonOfStatus,
  UnknownOutcome,
  type Attempt,
  type CallContext,
} from '@tollgate/provider';

// #region call
const attemptOf = (outcome: WireOutcome): Pick<Attempt, 'status' | 'outcome'> => {
  if (outcome.kind === 'not_sent' || outcome.kind === 'lost') return attemptOfUnanswered(outcome);
  if (outcome.status < 300) return { status: outcome.status, outcome: 'answered' };
  return { status: outcome.status, outcome: isCertainStatus(outcome.status) ? 'refused' : 'unknown' };
};

/** What an answer that is not 2xx says of the call. */
const failureOfStatus = (status: number): Error => {
  if (!isCertainStatus(status)) return new UnknownOutcome(`status_${status}`);
  const reason = reasonOfStatus(status);
  return new NotExecuted({ reason: reason === 'bad_request' ? 'invalid_request' : reason });
};

/** Makes one wire call and records it: the text of a 2xx answer, or an error that says whether anything ran. */
export const ask = async (
  upstream: Pick<WireExchange, 'dispatcher' | 'request' | 'limits'>,
  question: object,
  { signal, recordAttempt }: CallContext,
): Promise<string> => {
  const startedAtMs = Date.now();
  const outcome = await exchange({ ...upstream, body: jsonBody(question), signal });
  recordAttempt({ startedAtMs, durationMs: Date.now() - startedAtMs, ...attemptOf(outcome) });
  if (outcome.kind === 'streamed') throw new TypeError('nobody asked for a stream');
  if (outcome.kind !== 'answered') throw failureOfUnanswered(outcome);
  if (outcome.status >= 300) throw failureOfStatus(outcome.status);
  return outcome.body;
};
// #endregion call
