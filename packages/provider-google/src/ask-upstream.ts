import {
  asObject,
  isNotExecuted,
  parseJson,
  UnknownOutcome,
  type CallContext,
  type UntrustedObject,
} from '@tollgate/provider';
import { fromErrorInAnswer } from './from-google-error.ts';
import { send, type WireCall } from './send.ts';
import { resourcePath, type Upstream } from './upstream.ts';

const deadlineOf = ({ now, limits }: Upstream): number => now() + limits.timeoutMs;

/** Hands something over and returns what the upstream says of it. Throws `NotExecuted` or `UnknownOutcome`. */
export const handOver = async (
  upstream: Upstream,
  call: Pick<WireCall, 'method' | 'path' | 'body' | 'context'>,
): Promise<UntrustedObject> => {
  const { json: body } = await send(upstream, { ...call, deadlineMs: deadlineOf(upstream) });
  const error = fromErrorInAnswer(body, false, upstream.apiKey);
  if (error !== undefined) throw error;
  const answer = asObject(body);
  if (answer === undefined) throw new UnknownOutcome('unreadable_answer');
  return answer;
};

/**
 * Asks after something that the upstream does in its own time. Whatever goes wrong with the question says nothing of the thing: it
 * never throws `NotExecuted`.
 */
export const askAfter = async (upstream: Upstream, name: string, context: CallContext): Promise<UntrustedObject> => {
  const deadlineMs = deadlineOf(upstream);
  const path = resourcePath(upstream, name);
  try {
    const answer = asObject((await send(upstream, { method: 'GET', path, context, deadlineMs })).json);
    if (answer === undefined) throw new UnknownOutcome('unreadable_answer');
    return answer;
  } catch (failure) {
    throw isNotExecuted(failure) ? new UnknownOutcome('not_answered', failure) : failure;
  }
};

/** The text by which a job is found again, read back; throws where it is none of ours. */
export const parseJob = (job: string): UntrustedObject => {
  const value = asObject(parseJson(job));
  if (value === undefined) throw new UnknownOutcome('not_answered', new Error('a job of another provider'));
  return value;
};
