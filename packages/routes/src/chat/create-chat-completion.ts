import { parseChatRequest, type CatalogModel, type ChatRequest, type GatewayError } from '@tollgate/contract';
import {
  meterGeneration,
  pricesNow,
  runOperation,
  type Access,
  type OperationOutcome,
  type OperationPlan,
  type PlannedAnswer,
} from '@tollgate/engine';
import type { Generation, GenerationCall } from '@tollgate/provider';
import type { AnswerForm, OperationRecord } from '@tollgate/storage';
import { checkCapabilities } from '../check-capabilities.ts';
import { estimateCall } from '../estimate-call.ts';
import { resolveFiles } from '../files/resolve-files.ts';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { admitCall, admittedModel } from '../hooks/admit-call.ts';
import { identityOf } from '../identity-of.ts';
import { chatFieldNames } from '../field-names.ts';
import { namedModel } from '../named-model.ts';
import { keepingStates, sealedStateBytesMax, withKeptStates } from '../kept-states.ts';
import { operationAnswer } from '../operation-answer.ts';
import { refusedError } from '../refused-error.ts';
import { checkFamily, requireProvider, resolveModel, refusalOf } from '../resolve-model.ts';
import { runGeneration } from '../run-generation.ts';
import { requireWorkable } from '../require-workable.ts';
import { retryOf } from '../retry-of.ts';
import type { Service } from '../service.ts';
import { checkServiceTier } from '../service-tier.ts';
import { requireSent, streamHeaders, streamInTime } from '../stream-in-time.ts';
import { checkedFinish } from './check-structure.ts';
import { readChat, type ChatBody } from './read-chat.ts';
import { createChatPieces, type ChatPieces } from './chat-pieces.ts';
import { encodeUnary } from './encode-completion.ts';
import { encodeChatEnd, encodeChatError, encodeReplayedChat } from './encode-chat-stream.ts';
import { findContexts } from './find-contexts.ts';
import { planAnswer } from './plan-answer.ts';
import { createRemoteImages, type RemoteImages } from './remote-images.ts';
import { fileIdsOf, toGenerationCall } from './to-generation-call.ts';

/** The dialect has members for what a model thought and for what it cites; the contract has none. */
const isOpenai = ({ compatibility }: Service): boolean => compatibility.openai === true;

/** The older form of calls depends on how many calls the whole message has, so it is sent when the message is complete. */
const isSentInTime = ({ compatibility }: Service, chat: ChatRequest): boolean =>
  chat.stream && (compatibility.streamInTime ?? compatibility.openai) === true && chat.legacyFunctions !== true;

const answerFormOf = (service: Service, request: ChatRequest): AnswerForm => {
  if (request.stream) return request.stream_options?.include_usage === true ? 'sse_usage' : 'sse';
  return service.exposeUsage || service.compatibility.openai === true ? 'json_usage' : 'json';
};

interface Prepared {
  readonly access: Access;
  readonly model: CatalogModel;
  readonly call: Omit<GenerationCall, 'operationId'>;
  readonly estimate: OperationPlan<Generation>['estimate'];
  readonly chat: ChatRequest;
  readonly fingerprint: ChatBody['fingerprint'];
  readonly identity: string | null;
  readonly images: RemoteImages;
  /** Ids of the files of the project that it names. */
  readonly files: readonly string[];
  /** Where its chunks go while the model writes; null for a response that is sent whole. */
  readonly pieces: ChatPieces | null;
}

/** Images of the chat are held in memory until the provider has what it needs of them. */
const executionOf =
  (service: Service, { access, model, call, images, pieces }: Prepared): OperationPlan<Generation>['execute'] =>
  async (context) => {
    try {
      const fetched = images.count === 0 ? call : await images.fetchInto(call, context.signal);
      const { operationId, createdAtMs } = context;
      const sink = pieces?.sinkOf({ id: operationId, model: model.id, createdAtMs }) ?? null;
      const states = { service, context, carriedBytesMax: sealedStateBytesMax, sink };
      const generation = await keepingStates(states, (take) =>
        runGeneration(requireProvider(service, model), { ...fetched, operationId }, context, take),
      );
      const checking = checkedFinish(service.judgeStructure, {
        projectId: access.projectId,
        format: call.responseFormat,
        generation,
      });
      return { ...generation, finish: checking instanceof Promise ? await checking : checking };
    } finally {
      images.release();
    }
  };

const planOf = (service: Service, request: GatewayRequest, prepared: Prepared): OperationPlan<Generation> => {
  const { access, model, estimate, chat, fingerprint, identity, files, pieces } = prepared;
  const provider = service.models.providerOf(model);
  const answer = (generation: Generation, operation: OperationRecord): PlannedAnswer => {
    const wish = {
      legacyFunctions: chat.legacyFunctions === true,
      reasoning: isOpenai(service),
      citations: isOpenai(service),
    };
    const planned = planAnswer(service, generation, operation, wish);
    return pieces === null ? planned : pieces.divided(planned);
  };
  return {
    access,
    kind: 'chat',
    model: model.id,
    provider: provider?.name ?? '',
    identity,
    fingerprint,
    answerForm: answerFormOf(service, chat),
    estimate,
    refusal: refusalOf(service, model),
    files,
    isAbandoned: () => request.isGone(),
    ...retryOf(request),
    serviceTier: prepared.call.serviceTier,
    servedTier: (generation) => generation.servedTier,
    execute: executionOf(service, prepared),
    measure: (generation) =>
      meterGeneration(pricesNow(service.engine, { access, model: model.id, kind: 'chat' }), generation),
    answer,
    partialAnswer: (operation) => {
      const sent = pieces?.sent() ?? null;
      return sent === null ? null : answer(sent, operation);
    },
  };
};

/** What runs, and what the answer needs beside it. */
interface Planned {
  readonly plan: OperationPlan<Generation>;
  readonly images: RemoteImages;
  readonly pieces: ChatPieces | null;
}

/** The body and what was parsed of it end here: an operation may wait for minutes, and needs the call alone. */
const prepare = async (service: Service, caller: Access, request: GatewayRequest): Promise<Planned> => {
  const identity = identityOf(request);
  const { value, fingerprint } = await readChat(service, request);
  const { openai: openaiCompat = false, messagesMax } = service.compatibility;
  const chat = parseChatRequest(value, {
    openaiCompat,
    extraFields: service.extraFields,
    bodyNodesMax: service.bodyBounds.nodesMax,
    remoteImages: service.imageSource !== null,
    messagesMax,
  });
  const asked = resolveModel(service, caller, namedModel(request, chat.model), 'chat');
  const access = caller.asked === undefined ? caller : await admitCall(service, { access: caller, model: asked });
  const model = admittedModel(service, access, asked);
  checkFamily(model, 'chat');
  const resolving = resolveFiles(service, access, fileIdsOf(chat), service.models.providerOf(model)?.name ?? '');
  const files = resolving instanceof Promise ? await resolving : resolving;
  const finding = findContexts(service, access.projectId, chat);
  const contexts = finding instanceof Promise ? await finding : finding;
  const images = createRemoteImages(service.imageSource, access.projectId, chat);
  const sent = toGenerationCall(chat, model, { contexts, files: files.parts, images, openaiCompat });
  const withStates = withKeptStates(service, access.projectId, sent);
  const call = withStates instanceof Promise ? await withStates : withStates;
  checkCapabilities(model, call, service.models.providerOf(model));
  if (call.serviceTier !== undefined) await checkServiceTier(service, { access, model, call, identity });
  const estimating = estimateCall(service, { access, model }, call, images.count === 0);
  const estimate = estimating instanceof Promise ? await estimating : estimating;
  const { responseFormat: format } = call;
  if (format.kind === 'json_schema') {
    const intent = { access, kind: null, model: model.id, estimate, identity };
    await requireWorkable(service, format.schema, 'response_format.json_schema.schema', intent);
  }
  const pieces = isSentInTime(service, chat) ? createChatPieces(service, isOpenai(service)) : null;
  const prepared = { access, model, call, estimate, chat, fingerprint, identity, images, files: files.ids, pieces };
  return { plan: planOf(service, request, prepared), images, pieces };
};

type Completed = Extract<OperationOutcome, { readonly kind: 'completed' }>;

const encodeOutcome = (service: Service, outcome: Completed): GatewayResponse => {
  const { operation, body, replayed } = outcome;
  if (operation.answerForm === 'sse' || operation.answerForm === 'sse_usage')
    return {
      status: 200,
      headers: streamHeaders(operation.id, replayed),
      body: encodeReplayedChat(service.brand, operation, outcome),
    };
  return operationAnswer(outcome, encodeUnary(service.brand, operation, body));
};

// stream:chat:after-completion
/**
 * POST /chat/completions: parse, run, encode. A stream is sent after settlement, or while the
 * model writes it where the host chose that.
 */
export const createChatCompletion = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  const { plan, images, pieces } = await prepare(service, access, request);
  const ended = runOperation(service.engine, plan);
  const refusal = (outcome: Extract<OperationOutcome, { kind: 'refused' }>): GatewayError =>
    images.faultOf(outcome) ?? refusedError(outcome, chatFieldNames);
  const whole = (outcome: Completed): GatewayResponse => encodeOutcome(service, outcome);
  if (pieces === null) {
    const outcome = await ended;
    if (outcome.kind === 'refused') throw refusal(outcome);
    return whole(outcome);
  }
  const { channel, begun, sentChars, isBroken } = pieces;
  const last = ({ operation, body }: Completed): string => {
    requireSent(service, operation, isBroken());
    return encodeChatEnd(service.brand, operation, body, sentChars());
  };
  return streamInTime(service, { channel, begun, ended, refusal, whole, last, failed: encodeChatError });
};
