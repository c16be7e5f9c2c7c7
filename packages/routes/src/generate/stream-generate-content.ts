import { GatewayError, isGatewayError } from '@tollgate/contract';
import type { OperationOutcome } from '@tollgate/engine';
import type { Generation, OnParts } from '@tollgate/provider';
import { createEventChannel, endPieces, pushPiece, type EventChannel } from '../event-channel.ts';
import type { GatewayResponse } from '../gateway-request.ts';
import { generateFieldNames } from '../field-names.ts';
import { refusedError } from '../refused-error.ts';
import { contentEnding, type ContentEnding } from './content-ending.ts';
import {
  createPieceEncoder,
  encodeReplayedStream,
  encodeStreamEnd,
  encodeStreamError,
  type StreamForm,
} from './encode-content-stream.ts';
import { contentPlan, prepareContent, runContent, type ContentQuestion } from './prepare-content.ts';
import { createDivisionRecorder } from './stream-division.ts';
import { toWireParts } from './to-wire-parts.ts';

/** Characters that wait for a client that reads more slowly than the model writes; then it is cut off. */
const pendingCharsMax = 4_194_304;
/** What is kept of how a stream was divided: some 20,000 events of one text. A longer one is replayed in one event. */
const divisionBytesMax = 65_536;
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
  /** How they were divided, for the answer that ends so; null where that is not kept. */
  readonly division: (ending: ContentEnding) => string | null;
}

const createPieces = ({ service }: ContentQuestion, model: string, google: boolean): Pieces => {
  // Some clients of that dialect fail on everything that is no candidate.
  const channel = createEventChannel({
    pendingCharsMax,
    heartbeatMs: google ? null : heartbeatMs,
    after: service.engine.clock.after,
  });
  const { promise: begun, resolve: begin } = Promise.withResolvers<string>();
  const division = createDivisionRecorder(divisionBytesMax);
  let malformed = false;
  return {
    channel,
    begun,
    isMalformed: () => malformed,
    division: (ending) => division.encode(ending.kind === 'candidate' && ending.isUsable),
    onParts: (operationId) => {
      const encode = createPieceEncoder(model, operationId);
      let hasBegun = false;
      return (parts) => {
        const wire = toWireParts(parts);
        malformed ||= wire.malformed;
        division.add(parts);
        if (wire.parts.length === 0) return;
        pushPiece(channel, encode(wire.parts));
        if (!hasBegun) begin(operationId);
        hasBegun = true;
      };
    },
  };
};

const wholeAnswer = (form: StreamForm, outcome: OperationOutcome): GatewayResponse => {
  if (outcome.kind === 'refused') throw refusedError(outcome, generateFieldNames);
  const { operation, body, division, replayed } = outcome;
  return {
    status: 200,
    headers: headersOf(operation.id, replayed),
    body: encodeReplayedStream(form, operation, { body, division }),
  };
};

/** What marks success is missing; the body ends in order, so that a client that reads it whole sees the error (G3, G70). */
const fail = ({ channel }: Pieces, form: StreamForm, error: GatewayError): void =>
  endPieces(channel, encodeStreamError(form, error));

const end = (pieces: Pieces, form: StreamForm, ending: ContentEnding | null, outcome: OperationOutcome): void => {
  if (outcome.kind === 'refused') fail(pieces, form, refusedError(outcome, generateFieldNames));
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
    const division = pieces.division(ending);
    return { ...plan.answer(generation, ...rest), ...(division === null ? {} : { division }) };
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
