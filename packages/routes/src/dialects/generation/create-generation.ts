import type { GatewayError } from '@tollgate/contract';
import {
  meterGeneration,
  pricesNow,
  type OperationOutcome,
  type OperationPlan,
  type PlannedAnswer,
} from '@tollgate/engine';
import type { Generation } from '@tollgate/provider';
import { checkedFinish } from '../../chat/check-structure.ts';
import { bytesOf } from '../../byte-body.ts';
import type { GatewayResponse } from '../../gateway-request.ts';
import { lengthOf } from '../../json-answer.ts';
import { runContent } from '../../generate/prepare-content.ts';
import { identityOf } from '../../identity-of.ts';
import { keepingStates, sealedStateBytesMax } from '../../kept-states.ts';
import { operationAnswer } from '../../operation-answer.ts';
import { refusedError } from '../../refused-error.ts';
import { requireProvider, refusalOf } from '../../resolve-model.ts';
import { retryOf } from '../../retry-of.ts';
import { runGeneration } from '../../run-generation.ts';
import { requireSent, streamHeaders, streamInTime } from '../../stream-in-time.ts';
import { createAnswerPieces, type AnswerPieces } from './answer-pieces.ts';
import { answerHead } from './find-kept.ts';
import type { WrittenBody } from './generation-dialect.ts';
import { keptAnswer, readKept, writeKept, type KeptAnswer, type SealState } from './kept-answer.ts';
import { settledOf, writeKeptAnswer } from './settled-answer.ts';
import {
  prepareGeneration,
  kindOf,
  readBody,
  readGeneration,
  type DialectQuestion,
  type PreparedGeneration,
  type ReadGeneration,
} from './prepare-generation.ts';
import { createCarried } from './create-carried.ts';
import { mayBeKnown, recoverGeneration } from './recover-generation.ts';
import { replayStream } from './replay-stream.ts';
import { createStateSeal } from './seal-state.ts';

type Completed = Extract<OperationOutcome, { readonly kind: 'completed' }>;
type Refused = Extract<OperationOutcome, { readonly kind: 'refused' }>;

interface Running {
  readonly prepared: PreparedGeneration;
  readonly pieces: AnswerPieces | null;
  readonly seal: SealState;
  /** The answer that this request executed, so that its stored text need not be read again; null until then, and of a replay. */
  kept: KeptAnswer | null;
}

const keptOf = ({ dialect }: DialectQuestion, { prepared, seal }: Running, generation: Generation): KeptAnswer =>
  keptAnswer(generation, { echo: prepared.asked.echo, seal, media: dialect.keepsMedia === true });

/** What is stored of a stream whose outcome is lost: what was sent of it. */
const planPartial = (question: DialectQuestion, running: Running): PlannedAnswer | null => {
  const { pieces } = running;
  const sent = pieces?.sent() ?? null;
  if (pieces === null || sent === null) return null;
  const body = writeKept(question.dialect.name, keptOf(question, running, sent));
  return pieces.divided({ body, toolContexts: [] });
};

/** What is stored of a generation. */
const planAnswer = (question: DialectQuestion, running: Running, generation: Generation): PlannedAnswer => {
  const { pieces } = running;
  running.kept = keptOf(question, running, generation);
  const toolContexts = generation.functionCalls.flatMap(({ id, context }) =>
    context === undefined ? [] : [{ callId: id, context }],
  );
  const planned = { body: writeKept(question.dialect.name, running.kept), toolContexts };
  return pieces === null ? planned : pieces.divided(planned);
};

const planOf = (question: DialectQuestion, running: Running): OperationPlan<Generation> => {
  const { prepared, pieces } = running;
  const { service, request, dialect } = question;
  const { access, asked, model, call, files, fingerprint, estimate, identity } = prepared;
  const kind = kindOf(dialect, asked);
  return {
    access,
    kind,
    model: model.id,
    provider: service.models.providerOf(model)?.name ?? '',
    identity,
    fingerprint,
    answerForm: asked.stream ? 'sse_usage' : 'json_usage',
    estimate,
    refusal: refusalOf(service, model),
    files,
    isAbandoned: () => request.isGone(),
    ...retryOf(request),
    serviceTier: call.serviceTier,
    servedTier: (generation) => generation.servedTier,
    execute: async (context) => {
      const { operationId, createdAtMs } = context;
      const head = answerHead({ id: operationId, model: model.id, createdAtMs }, asked.echo);
      const provider = requireProvider(service, model);
      const sink = pieces === null ? null : pieces.sinkOf(head);
      const states = { service, context, carriedBytesMax: sealedStateBytesMax, sink };
      const generation = await keepingStates(states, (take) =>
        runGeneration(provider, { ...call, operationId }, context, take),
      );
      const judged = { projectId: access.projectId, format: call.responseFormat, generation };
      return { ...generation, finish: await checkedFinish(service.judgeStructure, judged) };
    },
    measure: (generation) => meterGeneration(pricesNow(service.engine, { access, model: model.id, kind }), generation),
    answer: (generation) => planAnswer(question, running, generation),
    partialAnswer: () => planPartial(question, running),
  };
};

/** A response that is no JSON, with the headers of every charged route. */
const writtenAnswer = (outcome: Completed, { contentType, body }: WrittenBody): GatewayResponse => {
  const written = typeof body === 'string' ? body : bytesOf(body);
  const answer = operationAnswer(outcome, '');
  return {
    ...answer,
    headers: { ...answer.headers, 'content-type': contentType, ...lengthOf(written) },
    body: written,
  };
};

const wholeAnswer = (
  { service, dialect }: DialectQuestion,
  outcome: Completed,
  answer: KeptAnswer,
): GatewayResponse => {
  const { operation, replayed } = outcome;
  if (operation.answerForm === 'sse' || operation.answerForm === 'sse_usage') {
    const writer = dialect.openStream(answerHead(operation, answer.echo));
    return {
      status: 200,
      headers: streamHeaders(operation.id, replayed, dialect.framing?.contentType),
      body: replayStream(writer, settledOf(service, operation, answer), outcome.division),
    };
  }
  const written =
    dialect.writeBody?.(answerHead(operation, answer.echo), settledOf(service, operation, answer)) ?? null;
  return written === null
    ? operationAnswer(outcome, writeKeptAnswer(service, dialect, operation, answer))
    : writtenAnswer(outcome, written);
};

/** Runs one generation in a dialect: read, reserve, execute, settle, write. A stream is sent while the model writes. */
export const createGeneration = async (question: DialectQuestion): Promise<GatewayResponse> => {
  const identity = identityOf(question.request);
  const body = await readBody(question);
  let read;
  try {
    read = await readGeneration(question, body);
  } catch (cause) {
    if (!mayBeKnown(identity, cause)) throw cause;
    return recoverGeneration(question, { identity, body, cause }, (outcome) =>
      wholeAnswer(question, outcome, readKept(outcome.body).answer),
    );
  }
  return read.isCarried ? createCarried(question, read, identity) : runAtOnce(question, read, identity);
};

/** Runs a generation that is one call of its model. */
const runAtOnce = async (
  question: DialectQuestion,
  read: ReadGeneration,
  identity: string | null,
): Promise<GatewayResponse> => {
  const { service, access, dialect } = question;
  const seal = createStateSeal(service, access.projectId);
  const prepared = await prepareGeneration(question, read, identity);
  const pieces = prepared.asked.stream ? createAnswerPieces(service, dialect, seal) : null;
  const running: Running = { prepared, pieces, seal, kept: null };
  const ended = runContent(service, planOf(question, running), prepared);
  const storedOf = ({ body }: Completed): KeptAnswer => running.kept ?? readKept(body).answer;
  const refusal = (outcome: Refused): GatewayError => refusedError(outcome, dialect.fieldNames);
  const whole = (outcome: Completed): GatewayResponse => wholeAnswer(question, outcome, storedOf(outcome));
  if (pieces === null) {
    const outcome = await ended;
    if (outcome.kind === 'refused') throw refusal(outcome);
    return whole(outcome);
  }
  return streamInTime(service, {
    channel: pieces.channel,
    contentType: dialect.framing?.contentType,
    begun: pieces.begun,
    ended,
    refusal,
    whole,
    last: (outcome) => {
      requireSent(service, outcome.operation, pieces.isBroken());
      return pieces.end(settledOf(service, outcome.operation, storedOf(outcome)));
    },
    failed: pieces.fail,
  });
};
