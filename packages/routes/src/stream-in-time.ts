import { GatewayError, isGatewayError } from '@tollgate/contract';
import type { OperationOutcome } from '@tollgate/engine';
import type { OperationRecord } from '@tollgate/storage';
import { createEventChannel, endPieces, type EventChannel } from './event-channel.ts';
import type { GatewayResponse } from './gateway-request.ts';
import type { Service } from './service.ts';

/** JSON text holds no line end, so an event of it needs no look at its text. */
export const dataEvent = (json: string): string => `data: ${json}\n\n`;

/** An event with a name, which holds no line end either. */
export const namedEvent = (name: string, json: string): string => `event: ${name}\ndata: ${json}\n\n`;

/** Characters that wait for a client that reads more slowly than the model writes; then its connection is cut. */
const pendingCharsMax = 4_194_304;
/** How long a stream may be silent. */
const heartbeatMs = 15_000;
/** What is kept of how a stream was divided: some 20,000 events of one text. A longer stream is not replayed event by event. */
export const divisionBytesMax = 65_536;

/** How a stream shows that it lives. */
export interface Liveness {
  /** Whether the client ignores comments, as the protocol wants. */
  readonly comments: boolean;
  /** The event that says nothing, for clients whose patience a comment does not renew. */
  readonly alive?: (() => string) | undefined;
}

/** A channel for the pieces of one answer. */
export const openPieces = ({ engine }: Service, { comments, alive }: Liveness): EventChannel =>
  createEventChannel({
    pendingCharsMax,
    heartbeatMs: comments ? heartbeatMs : null,
    alive,
    after: engine.clock.after,
  });

const serverSentEvents = 'text/event-stream; charset=utf-8';

export const streamHeaders = (
  operationId: string,
  replayed: boolean,
  contentType = serverSentEvents,
): GatewayResponse['headers'] => ({
  'content-type': contentType,
  'cache-control': 'no-store',
  'x-request-id': operationId,
  'idempotency-replayed': String(replayed),
  // Proxies that gather what they pass on would hold the events back.
  'x-accel-buffering': 'no',
});

type Ended<K extends OperationOutcome['kind']> = Extract<OperationOutcome, { readonly kind: K }>;

/** An answer that is sent while the model writes it. */
export interface AnswerInTime {
  readonly channel: EventChannel;
  /** Of the body; that of server-sent events where it is left out. */
  readonly contentType?: string | undefined;
  /** Resolves with the operation's id when the first piece is in the channel. */
  readonly begun: Promise<string>;
  readonly ended: Promise<OperationOutcome>;
  readonly refusal: (outcome: Ended<'refused'>) => GatewayError;
  /** The response of an operation that completed before its first piece. */
  readonly whole: (outcome: Ended<'completed'>) => GatewayResponse;
  /** The last events, after settlement. */
  readonly last: (outcome: Ended<'completed'>) => string;
  /** The last event of a stream that failed. */
  readonly failed: (error: GatewayError) => string;
}

/** What marks success is missing where a client has read of a call what the model did not write; the stored answer is right. */
export const requireSent = ({ logger }: Service, { id }: Pick<OperationRecord, 'id'>, isBroken: boolean): void => {
  if (!isBroken) return;
  logger.error('a provider streamed other arguments of a call than it returned', { operationId: id });
  throw new GatewayError('request_failed', { requestId: id });
};

/** A refusal is a known end of an operation; any other failure is logged. */
const failureOf = (service: Service, operationId: string, cause: unknown, isRefusal: boolean): GatewayError => {
  if (!isRefusal) service.logger.error('a stream failed unexpectedly', { operationId, cause });
  return isGatewayError(cause) ? cause : new GatewayError('request_failed', { requestId: operationId });
};

// G3, G70
/** Ends the body in order, also after a failure, so that a client that reads it whole sees the error. */
const finish = async (service: Service, operationId: string, answer: AnswerInTime): Promise<void> => {
  const { channel, ended, refusal, last, failed } = answer;
  let hasEnded = false;
  try {
    const outcome = await ended;
    hasEnded = true;
    endPieces(channel, outcome.kind === 'refused' ? failed(refusal(outcome)) : last(outcome));
  } catch (cause) {
    endPieces(channel, failed(failureOf(service, operationId, cause, hasEnded && isGatewayError(cause))));
  }
};

/**
 * Responds with the pieces as the model writes them, then with the credits once they are debited. What fails before the first
 * piece is an error like any other. A client that leaves or does not read ends only its own stream.
 */
export const streamInTime = async (service: Service, answer: AnswerInTime): Promise<GatewayResponse> => {
  const first = await Promise.race([answer.begun, answer.ended]);
  if (typeof first === 'string') {
    service.engine.host.observe?.({ kind: 'stream_begun', operationId: first });
    void finish(service, first, answer);
    return { status: 200, headers: streamHeaders(first, false, answer.contentType), body: answer.channel.feed };
  }
  if (first.kind === 'refused') throw answer.refusal(first);
  return answer.whole(first);
};
