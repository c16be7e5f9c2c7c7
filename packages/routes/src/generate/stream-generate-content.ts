import { GatewayError } from '@tollgate/contract';
import type { OperationOutcome } from '@tollgate/engine';
import type { Generation, OnParts } from '@tollgate/provider';
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
  const channel = openPieces(service, { comments: !google });
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

/** POST /models/{model}:streamGenerateContent. */
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
  return streamInTime(service, {
    channel: pieces.channel,
    begun: pieces.begun,
    ended: runContent(service, { ...plan, answer }, prepared),
    refusal: (outcome) => refusedError(outcome, generateFieldNames),
    whole: (outcome) => wholeAnswer(form, outcome),
    last: (outcome) => lastEvents(form, ending, outcome),
    failed: (error) => encodeStreamError(form, error),
  });
};
