import {
  exchange,
  type WireExchange,
  type WireOutcome,
  attemptOfUnanswered,
  failureOfUnanswered,
  jsonBody,
} from '@tollgate/provider-http';
import {
  answerIdOf,
  isCertainStatus,
  NotExecuted,
  parseJson,
  readUpstreamIds,
  reasonOfStatus,
  UnknownOutcome,
  type Attempt,
  type CallContext,
} from '@tollgate/provider';

// #region call
const attemptOf = (outcome: WireOutcome): Omit<Attempt, 'startedAtMs' | 'durationMs'> => {
  if (outcome.kind === 'not_sent' || outcome.kind === 'lost') return attemptOfUnanswered(outcome);
  const { status, headers } = outcome;
  // The upstream's id of the request: with it an operator finds the call on a bill.
  const ids = readUpstreamIds(headers, outcome.kind === 'answered' ? answerIdOf(parseJson(outcome.body)) : undefined);
  if (status < 300) return { status, outcome: 'answered', ...ids };
  return { status, outcome: isCertainStatus(status) ? 'refused' : 'unknown', ...ids };
};

/** The meaning of a response that is not 2xx. */
const failureOfStatus = (status: number): Error => {
  if (!isCertainStatus(status)) return new UnknownOutcome(`status_${status}`);
  const reason = reasonOfStatus(status);
  return new NotExecuted({ reason: reason === 'bad_request' ? 'invalid_request' : reason });
};

/** Makes one upstream request and records it: returns the text of a 2xx response, or throws an error that says whether anything ran. */
export const ask = async (
  upstream: Pick<WireExchange, 'dispatcher' | 'request' | 'limits'>,
  question: object,
  { signal, recordAttempt }: CallContext,
): Promise<string> => {
  const startedAtMs = Date.now();
  const outcome = await exchange({ ...upstream, body: jsonBody(question), signal });
  recordAttempt({ startedAtMs, durationMs: Date.now() - startedAtMs, ...attemptOf(outcome) });
  if (outcome.kind === 'streamed') throw new TypeError('no stream was requested');
  if (outcome.kind !== 'answered') throw failureOfUnanswered(outcome);
  if (outcome.status >= 300) throw failureOfStatus(outcome.status);
  return outcome.body;
};
// #endregion call
