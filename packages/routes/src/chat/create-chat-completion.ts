import { parseChatRequest, type CatalogModel, type ChatRequest } from '@tollgate/contract';
import { runOperation, type Access, type OperationOutcome, type OperationPlan } from '@tollgate/engine';
import type { Generation, GenerationCall } from '@tollgate/provider';
import type { AnswerForm } from '@tollgate/storage';
import { checkCapabilities } from '../check-capabilities.ts';
import { estimateCall } from '../estimate-call.ts';
import { resolveFiles } from '../files/resolve-files.ts';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { identityOf } from '../identity-of.ts';
import { refusedError } from '../refused-error.ts';
import { checkFamily, requireProvider, resolveModel, unavailableReason } from '../resolve-model.ts';
import { runGeneration } from '../run-generation.ts';
import type { Service } from '../service.ts';
import { checkSchema } from './check-structure.ts';
import { readChat, type ChatBody } from './read-chat.ts';
import { encodeStream, encodeUnary } from './encode-completion.ts';
import { findContexts } from './find-contexts.ts';
import { planAnswer } from './plan-answer.ts';
import { fileIdsOf, toGenerationCall } from './to-generation-call.ts';

const answerFormOf = (service: Service, request: ChatRequest): AnswerForm => {
  if (request.stream) return request.stream_options?.include_usage === true ? 'sse_usage' : 'sse';
  return service.exposeUsage || service.compatibility.openai === true ? 'json_usage' : 'json';
};

interface Prepared {
  readonly model: CatalogModel;
  readonly call: Omit<GenerationCall, 'operationId'>;
  readonly estimate: OperationPlan<Generation>['estimate'];
  readonly chat: ChatRequest;
  readonly fingerprint: ChatBody['fingerprint'];
  readonly identity: string | null;
  /** Ids of the files of the project that it names. */
  readonly files: readonly string[];
}

const planOf = (
  service: Service,
  access: Access,
  request: GatewayRequest,
  { model, call, estimate, chat, fingerprint, identity, files }: Prepared,
): OperationPlan<Generation> => {
  const unavailable = unavailableReason(service, model);
  const provider = service.models.providerOf(model);
  return {
    access,
    kind: 'chat',
    model: model.id,
    provider: provider?.name ?? '',
    identity,
    fingerprint,
    answerForm: answerFormOf(service, chat),
    estimate,
    // A missing tariff has a code of its own, which the engine gives it.
    refusal: unavailable === null || unavailable === 'no_tariff' ? null : 'service_unavailable',
    files,
    isAbandoned: () => request.isGone(),
    execute: (context) =>
      runGeneration(requireProvider(service, model), { ...call, operationId: context.operationId }, context, null),
    measure: (generation) => generation.usage,
    answer: (generation, operation) => planAnswer(service, call.responseFormat, generation, operation),
  };
};

const prepare = async (service: Service, access: Access, request: GatewayRequest): Promise<Prepared> => {
  const identity = identityOf(request);
  const { value, fingerprint } = await readChat(service, request);
  const chat = parseChatRequest(value, {
    openaiCompat: service.compatibility.openai === true,
    extraFields: service.extraFields,
  });
  const model = resolveModel(service, access, chat.model);
  checkFamily(model, 'chat');
  const files = await resolveFiles(service, access, fileIdsOf(chat), service.models.providerOf(model)?.name ?? '');
  const call = toGenerationCall(chat, model, await findContexts(service, access.projectId, chat), files.parts);
  checkCapabilities(model, call);
  checkSchema(call.responseFormat);
  const estimate = await estimateCall(service, model, call);
  return { model, call, estimate, chat, fingerprint, identity, files: files.ids };
};

/** The body and what was parsed of it end here: an operation may wait for minutes, and needs the call alone. */
const plan = async (service: Service, access: Access, request: GatewayRequest): Promise<OperationPlan<Generation>> =>
  planOf(service, access, request, await prepare(service, access, request));

const encodeOutcome = (
  service: Service,
  outcome: Extract<OperationOutcome, { kind: 'completed' }>,
): GatewayResponse => {
  const { operation, body, replayed } = outcome;
  const streamed = operation.answerForm === 'sse' || operation.answerForm === 'sse_usage';
  const encode = streamed ? encodeStream : encodeUnary;
  return {
    status: 200,
    headers: {
      'content-type': streamed ? 'text/event-stream; charset=utf-8' : 'application/json',
      'cache-control': 'no-store',
      'x-request-id': operation.id,
      'idempotency-replayed': String(replayed),
    },
    body: encode(service.brand, operation, body),
  };
};

/** POST /chat/completions: parse, run, encode. A stream is sent only after settlement (stream:chat:after-completion). */
export const createChatCompletion = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  const outcome = await runOperation(service.engine, await plan(service, access, request));
  if (outcome.kind === 'refused') throw refusedError(outcome);
  return encodeOutcome(service, outcome);
};
