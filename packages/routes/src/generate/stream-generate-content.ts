import { GatewayError } from '@tollgate/contract';
import type { OperationOutcome, PlannedAnswer } from '@tollgate/engine';
import type { Generation, Part } from '@tollgate/provider';
import type { OperationRecord } from '@tollgate/storage';
import { pushPiece, type EventChannel } from '../event-channel.ts';
import type { GatewayResponse } from '../gateway-request.ts';
import { generateFieldNames } from '../field-names.ts';
import { refusedError } from '../refused-error.ts';
import { divisionBytesMax, openPieces, streamHeaders, streamInTime } from '../stream-in-time.ts';
import { contentEnding, type ContentEnding } from './content-ending.ts';
import {
  createPieceEncoder,
  encodeReplayedStream,
  encodeStreamEnd,
  encodeStreamError,
  type StreamForm,
} from './encode-content-stream.ts';
import { contentPlan, prepareContent, runContent, type ContentQuestion } from './prepare-content.ts';
import { createSentSoFar } from '../sent-so-far.ts';
import type { StreamSink } from '../call-order.ts';
import { createDivisionRecorder } from './stream-division.ts';
import { toWireParts } from './to-wire-parts.ts';

const formOf = ({ service, request }: ContentQuestion): StreamForm => {
  const google = request.dialect === 'google';
  const sse = new URLSearchParams(request.query).get('alt') === 'sse';
  return { brand: service.brand, google, done: !google && !sse };
};

/** The pieces of one answer on their way to its client. */
interface Pieces {
  readonly channel: EventChannel;
  readonly sinkOf: (operationId: string) => StreamSink;
  /** What was sent, as an answer that was cut off; null where nothing was. */
  readonly sent: () => Generation | null;
  /** Resolves with the operation's id when the first piece is there. */
  readonly begun: Promise<string>;
  /** Whether a call was left out because its arguments could not be read. */
  readonly isMalformed: () => boolean;
  /** How they were divided, for the answer that ends so; null where that is not kept. */
  readonly division: (ending: ContentEnding) => string | null;
}

const createPieces = ({ service }: ContentQuestion, model: string, google: boolean): Pieces => {
  // Some clients of that dialect fail on everything that is no candidate.
  const channel = openPieces(service, { comments: !google });
  const { promise: begun, resolve: begin } = Promise.withResolvers<string>();
  const division = createDivisionRecorder(divisionBytesMax);
  let malformed = false;
  const sentSoFar = createSentSoFar();
  return {
    channel,
    begun,
    isMalformed: () => malformed,
    division: (ending) => division.encode(ending.kind === 'candidate' && ending.isUsable),
    sent: sentSoFar.read,
    sinkOf: (operationId) => {
      const encode = createPieceEncoder(model, operationId);
      let hasBegun = false;
      const onParts = (parts: readonly Part[]): void => {
        const wire = toWireParts(parts);
        malformed ||= wire.malformed;
        division.add(parts);
        if (wire.parts.length === 0) return;
        pushPiece(channel, encode(wire.parts));
        if (!hasBegun) begin(operationId);
        hasBegun = true;
      };
      return { onParts, onStart: sentSoFar.onStart };
    },
  };
};

type Completed = Extract<OperationOutcome, { readonly kind: 'completed' }>;

const wholeAnswer = (form: StreamForm, outcome: Completed): GatewayResponse => {
  const { operation, body, division, replayed } = outcome;
  return {
    status: 200,
    headers: streamHeaders(operation.id, replayed),
    body: encodeReplayedStream(form, operation, { body, division }),
  };
};

/** What marks success is missing where the process that settled is not the one that streamed. */
const lastEvents = (form: StreamForm, ending: ContentEnding | null, outcome: Completed): string => {
  if (ending === null) throw new GatewayError('request_failed', { requestId: outcome.operation.id });
  return encodeStreamEnd(form, outcome.operation, ending);
};

const divided = (planned: PlannedAnswer, division: string | null): PlannedAnswer =>
  division === null ? planned : { ...planned, division };

/** POST /models/{model}:streamGenerateContent. */
export const streamGenerateContent = async (question: ContentQuestion): Promise<GatewayResponse> => {
  const { service } = question;
  const form = formOf(question);
  const prepared = await prepareContent(question, 'streamGenerateContent');
  const pieces = createPieces(question, prepared.model.id, form.google);
  const plan = contentPlan(question, prepared, pieces.sinkOf);
  let ending: ContentEnding | null = null;
  const answer = (generation: Generation, ...rest: [Parameters<typeof plan.answer>[1]]) => {
    ending = contentEnding(generation, pieces.isMalformed());
    return divided(plan.answer(generation, ...rest), pieces.division(ending));
  };
  const partialAnswer = (operation: OperationRecord): PlannedAnswer | null => {
    const sent = pieces.sent();
    if (sent === null) return null;
    return divided(plan.answer(sent, operation), pieces.division(contentEnding(sent, pieces.isMalformed())));
  };
  return streamInTime(service, {
    channel: pieces.channel,
    begun: pieces.begun,
    ended: runContent(service, { ...plan, answer, partialAnswer }, prepared),
    refusal: (outcome) => refusedError(outcome, generateFieldNames),
    whole: (outcome) => wholeAnswer(form, outcome),
    last: (outcome) => lastEvents(form, ending, outcome),
    failed: (error) => encodeStreamError(form, error),
  });
};
