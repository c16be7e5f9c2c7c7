import { waitToRepeat } from '@tollgate/provider-http';
import { NotExecuted, type CallContext } from '@tollgate/provider';
import type { Obstacle } from './carried-settings.ts';
import type { Upstream } from './upstream.ts';
import { mayBeRepeated, readOutcome, wireCall, type WireCall } from './wire-call.ts';

/** Refuses a call that a wire cannot carry, before anything is sent. */
export const refuse = (obstacle: Obstacle | undefined): void => {
  if (obstacle === undefined) return;
  throw new NotExecuted({ reason: 'unsupported', field: obstacle.field, cause: obstacle.why });
};

/** One request, without what every request of the provider has. */
export type Asking = Omit<WireCall, 'context' | 'timeoutMs'>;

/** Returns the body of a 2xx answer, parsed where it is JSON. What certainly did not run is repeated within the limits. */
export const ask = (upstream: Upstream, context: CallContext, asking: Asking): Promise<unknown> => {
  const { timeoutMs } = upstream.limits;
  return send(upstream, { ...asking, context, timeoutMs, deadlineMs: upstream.now() + timeoutMs, attempt: 1 });
};

interface Sending extends WireCall {
  readonly deadlineMs: number;
  readonly attempt: number;
}

/** Every upstream request after the first is one level deeper, `attemptsMax` in all. */
const send = async (upstream: Upstream, sending: Sending): Promise<unknown> => {
  const { context, deadlineMs, attempt } = sending;
  const reply = await wireCall(upstream, sending);
  const reading = readOutcome(upstream, reply, sending.stream);
  if (reading.kind === 'body') return reading.body;
  const { failure } = reading;
  if (!mayBeRepeated(reply.outcome)) throw failure;
  await waitToRepeat(upstream, { failure, attempt, isPassing: true, deadlineMs, signal: context.signal });
  const timeoutMs = Math.max(1, deadlineMs - upstream.now());
  return send(upstream, { ...sending, timeoutMs, attempt: attempt + 1 });
};
