import { GatewayError, isGatewayError } from '@tollgate/contract';
import type { OperationOutcome } from '@tollgate/engine';
import type { Generation, OnParts } from '@tollgate/provider';
import { createEventChannel, endPieces, failPieces, pushPiece, type EventChannel } from '../event-channel.ts';
import type { GatewayResponse } from '../gateway-request.ts';
import { refusedError } from '../refused-error.ts';
import { contentEnding, type ContentEnding } from './content-ending.ts';
import {
  createPieceEncoder,
  encodeStreamEnd,
  encodeStreamError,
  encodeWholeStream,
  type StreamForm,
} from './encode-content-stream.ts';
import { contentPlan, prepareContent, runContent, type ContentQuestion } from './prepare-content.ts';
import { toWireParts } from './to-wire-parts.ts';

/** Characters that wait for a client that reads more slowly than the model writes; then it is cut off. */
const pendingCharsMax = 4_194_304;
/** How long a stream may be silent. */
const heartbeatMs = 15_000;

const formOf = ({ service, request }: ContentQuestion): StreamForm => {
  const google = request.dialect === 'google';
  const sse = new URLSearchParams(request.query).get('alt') === 'sse';
  return { brand: service.brand, google, done: !google && !sse };
};

const headersOf = (operationId: string, replayed: boolean): GatewayResponse['headers'] => ({
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-request-id': operationId,
  'idempotency-replayed': String(replayed),
  // Proxies that gather what they pass on would hold the events back.
  'x-accel-buffering': 'no',
});

/** The pieces of one answer on their way to its client. */
interface Pieces {
  readonly channel: EventChannel;
  readonly onParts: (operationId: string) => OnParts;
  /** Resolves with the operation's id when the first piece is there. */
  readonly begun: Promise<string>;
  /** Whether a call was left out because its arguments could not be read. */
  readonly isMalformed: () => boolean;
}

const createPieces = ({ service }: ContentQuestion, model: string, google: boolean): Pieces => {
  // Some clients of that dialect fail on everything that is no candidate.
  const channel = createEventChannel({
    pendingCharsMax,
    heartbeatMs: google ? null : heartbeatMs,
    after: service.engine.after,
  });
  const { promise: begun, resolve: begin } = Promise.withResolvers<string>();
  let malformed = false;
  return {
    channel,
    begun,
    isMalformed: () => malformed,
    onParts: (operationId) => {
      const encode = createPieceEncoder(model, operationId);
      let hasBegun = false;
      return (parts) => {
        const wire = toWireParts(parts);
        malformed ||= wire.malformed;
        if (wire.parts.length === 0) return;
        pushPiece(channel, encode(wire.parts));
        if (!hasBegun) begin(operationId);
        hasBegun = true;
      };
    },
  };
};

const wholeAnswer = (form: StreamForm, outcome: OperationOutcome): GatewayResponse => {
  if (outcome.kind === 'refused') throw refusedError(outcome);
  const { operation, body, replayed } = outcome;
  return {
    status: 200,
    headers: headersOf(operation.id, replayed),
    body: encodeWholeStream(form, operation, body),
  };
};

const fail = ({ channel }: Pieces, form: StreamForm, error: GatewayError): void =>
  failPieces(channel, encodeStreamError(form, error));

const end = (pieces: Pieces, form: StreamForm, ending: ContentEnding | null, outcome: OperationOutcome): void => {
  if (outcome.kind === 'refused') fail(pieces, form, refusedError(outcome));
  else if (ending === null) fail(pieces, form, new GatewayError('request_failed', { requestId: outcome.operation.id }));
  else endPieces(pieces.channel, encodeStreamEnd(form, outcome.operation, ending));
};

/**
 * POST /models/{model}:streamGenerateContent: the pieces as the model writes them, then the credits once they are debited. What
 * fails before the first piece is an error like any other. A client that leaves or does not read ends nothing but its own stream.
 */
export const streamGenerateContent = async (question: ContentQuestion): Promise<GatewayResponse> => {
  const { service } = question;
  const form = formOf(question);
  const prepared = await prepareContent(question, 'streamGenerateContent');
  const pieces = createPieces(question, prepared.model.id, form.google);
  const plan = contentPlan(question, prepared, pieces.onParts);
  let ending: ContentEnding | null = null;
  const answer = (generation: Generation, ...rest: [Parameters<typeof plan.answer>[1]]) => {
    ending = contentEnding(generation, pieces.isMalformed());
    return plan.answer(generation, ...rest);
  };
  const ended = runContent(service, { ...plan, answer }, prepared);
  const first = await Promise.race([pieces.begun, ended]);
  if (typeof first !== 'string') return wholeAnswer(form, first);
  ended.then(
    (outcome) => end(pieces, form, ending, outcome),
    (cause: unknown) => {
      service.logger.error('a stream failed unexpectedly', { operationId: first, cause });
      fail(pieces, form, isGatewayError(cause) ? cause : new GatewayError('request_failed', { requestId: first }));
    },
  );
  return { status: 200, headers: headersOf(first, false), body: pieces.channel.feed };
};
