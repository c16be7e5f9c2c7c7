import { GatewayError, type CatalogModel, type EmbeddingPart, type EmbeddingRequest } from '@tollgate/contract';
import {
  estimateEmbedding,
  pricesNow,
  runOperation,
  type Access,
  type OperationOutcome,
  type OperationPlan,
} from '@tollgate/engine';
import type { BlobPart, EmbeddingCall, Embeddings, Part, Provider } from '@tollgate/provider';
import { resolveFiles, type ResolvedFiles } from '../files/resolve-files.ts';
import type { GatewayRequest } from '../gateway-request.ts';
import { admitCall, admittedModel } from '../hooks/admit-call.ts';
import { mediaPart } from '../media-json/media-part.ts';
import { embeddingFieldNames } from '../field-names.ts';
import { namedModel } from '../named-model.ts';
import { refusedError } from '../refused-error.ts';
import { checkFamily, requireProvider, resolveModel, refusalOf } from '../resolve-model.ts';
import { retryOf } from '../retry-of.ts';
import type { Service } from '../service.ts';
import { checkMedia, checkOffer } from './check-offer.ts';
import { planVectors } from './plan-vectors.ts';
import { toEmbeddingCall } from './to-embedding-call.ts';

/** What is asked, in whatever dialect it came. */
export interface EmbeddingAsk {
  readonly asked: EmbeddingRequest;
  readonly identity: string | null;
  readonly fingerprint: string;
}

/** Everything that is known of a call before it is registered. */
interface Prepared extends EmbeddingAsk {
  readonly access: Access;
  readonly model: CatalogModel;
  readonly call: Omit<EmbeddingCall, 'operationId'>;
  /** Ids of the files of the project that it names. */
  readonly files: readonly string[];
}

const embed = (
  provider: Provider,
  call: EmbeddingCall,
  context: Parameters<OperationPlan<Embeddings>['execute']>[0],
) => {
  if (provider.embed === undefined) throw new GatewayError('service_unavailable');
  return provider.embed(call, context);
};

const planOf = (
  service: Service,
  request: GatewayRequest,
  { access, model, call, files, asked, identity, fingerprint }: Prepared,
): OperationPlan<Embeddings> => {
  return {
    access,
    kind: 'embeddings',
    model: model.id,
    provider: service.models.providerOf(model)?.name ?? '',
    identity,
    fingerprint,
    answerForm: service.exposeUsage || service.compatibility.openai === true ? 'json_usage' : 'json',
    estimate: estimateEmbedding(call, pricesNow(service.engine, { access, model: model.id, kind: 'embeddings' })),
    refusal: refusalOf(service, model),
    files,
    isAbandoned: () => request.isGone(),
    ...retryOf(request),
    execute: (context) =>
      embed(requireProvider(service, model), { ...call, operationId: context.operationId }, context),
    measure: (embeddings) => embeddings.usage,
    answer: (embeddings, operation) => planVectors(call, asked.encoding_format, embeddings, operation),
  };
};

const toFile = (fileId: string, files: ResolvedFiles['parts']): BlobPart => {
  const file = files.get(fileId);
  if (file === undefined) throw new GatewayError('not_found', { detail: 'There is no such file in this project.' });
  return file;
};

const toPart = (model: CatalogModel, part: EmbeddingPart, files: ResolvedFiles['parts']): Part => {
  switch (part.kind) {
    case 'text':
      return part;
    case 'media':
      checkMedia(model, part.mimeType);
      return mediaPart(part.mimeType, part.data);
    case 'file': {
      const file = toFile(part.fileId, files);
      checkMedia(model, file.mimeType);
      return file;
    }
  }
};

/** Files of the project that a request names. */
export const embeddingFileIds = ({ input }: EmbeddingRequest): readonly string[] =>
  input.kind === 'texts' ? [] : input.parts.flatMap((part) => (part.kind === 'file' ? [part.fileId] : []));

/** The parts of a request's content, checked against the model. */
export const embeddingParts = (
  model: CatalogModel,
  { input }: EmbeddingRequest,
  files: ResolvedFiles['parts'],
): readonly Part[] => (input.kind === 'texts' ? [] : input.parts.map((part) => toPart(model, part, files)));

const prepare = async (
  service: Service,
  caller: Access,
  request: GatewayRequest,
  ask: EmbeddingAsk,
): Promise<Prepared> => {
  const { asked } = ask;
  const named = resolveModel(service, caller, namedModel(request, asked.model), 'embeddings');
  const access = caller.asked === undefined ? caller : await admitCall(service, { access: caller, model: named });
  const model = admittedModel(service, access, named);
  checkFamily(model, 'embeddings');
  checkOffer(model, asked);
  const files = await resolveFiles(
    service,
    access,
    embeddingFileIds(asked),
    service.models.providerOf(model)?.name ?? '',
  );
  const call = toEmbeddingCall(asked, model, embeddingParts(model, asked, files.parts));
  return { ...ask, access, model, call, files: files.ids };
};

/** Runs one embedding as a charged operation; what gives no answer is thrown as its error. */
export const runEmbedding = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
  ask: EmbeddingAsk,
): Promise<Extract<OperationOutcome, { kind: 'completed' }>> => {
  const plan = planOf(service, request, await prepare(service, access, request, ask));
  const outcome = await runOperation(service.engine, plan);
  if (outcome.kind === 'refused') throw refusedError(outcome, embeddingFieldNames);
  return outcome;
};
