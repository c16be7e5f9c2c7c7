import {
  GatewayError,
  limits,
  parseEmbeddingRequest,
  type CatalogModel,
  type EmbeddingPart,
  type EmbeddingRequest,
} from '@tollgate/contract';
import { estimateEmbedding, findModelTariff, runOperation, type Access, type OperationPlan } from '@tollgate/engine';
import type { EmbeddingCall, Embeddings, Part, Provider } from '@tollgate/provider';
import { encodeUnary } from '../chat/encode-completion.ts';
import { fingerprint } from '../fingerprint.ts';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { identityOf } from '../identity-of.ts';
import { readJson } from '../read-json.ts';
import { refusedError } from '../refused-error.ts';
import { checkFamily, requireProvider, resolveModel, unavailableReason } from '../resolve-model.ts';
import type { Service } from '../service.ts';
import { checkMedia, checkOffer } from './check-offer.ts';
import { planVectors, type EncodingFormat } from './plan-vectors.ts';
import { toEmbeddingCall } from './to-embedding-call.ts';

const path = '/embeddings';

/** Everything that is known of a call before it is registered. */
interface Prepared {
  readonly model: CatalogModel;
  readonly call: Omit<EmbeddingCall, 'operationId'>;
  readonly encoding: EncodingFormat;
  readonly identity: string | null;
  readonly fingerprint: string;
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
  access: Access,
  request: GatewayRequest,
  { model, call, encoding, identity, fingerprint: print }: Prepared,
): OperationPlan<Embeddings> => {
  const unavailable = unavailableReason(service, model);
  return {
    access,
    kind: 'embeddings',
    model: model.id,
    provider: service.models.providerOf(model)?.name ?? '',
    identity,
    fingerprint: print,
    answerForm: service.exposeUsage || service.compatibility.openai === true ? 'json_usage' : 'json',
    estimate: estimateEmbedding(call, findModelTariff(service.engine.tariff, model.id)),
    // A missing tariff has a code of its own, which the engine gives it.
    refusal: unavailable === null || unavailable === 'no_tariff' ? null : 'service_unavailable',
    isAbandoned: () => request.isGone(),
    execute: (context) =>
      embed(requireProvider(service, model), { ...call, operationId: context.operationId }, context),
    measure: (embeddings) => embeddings.usage,
    answer: (embeddings, operation) => planVectors(call, encoding, embeddings, operation),
  };
};

const toPart = (model: CatalogModel, part: EmbeddingPart): Part => {
  switch (part.kind) {
    case 'text':
      return part;
    case 'media': {
      const { mimeType, data } = part;
      checkMedia(model, mimeType);
      if (typeof data === 'string') return { kind: 'media', mimeType, data };
      return { kind: 'blob', mimeType, sizeBytes: data.sizeBytes, read: data.read };
    }
    case 'file':
      throw new GatewayError('not_found', { detail: 'There is no such file in this project.' });
  }
};

const partsOf = (model: CatalogModel, { input }: EmbeddingRequest): readonly Part[] =>
  input.kind === 'texts' ? [] : input.parts.map((part) => toPart(model, part));

const prepare = async (service: Service, access: Access, request: GatewayRequest): Promise<Prepared> => {
  const identity = identityOf(request);
  const body = await readJson(request, limits.bodyBytesMax.embeddings);
  const { openai = false, google = false } = service.compatibility;
  const asked = parseEmbeddingRequest(body.value, { compat: openai || google });
  const model = resolveModel(service, access, asked.model);
  checkFamily(model, 'embeddings');
  checkOffer(model, asked);
  const call = toEmbeddingCall(asked, model, partsOf(model, asked));
  return { model, call, encoding: asked.encoding_format, identity, fingerprint: fingerprint('POST', path, body.bytes) };
};

/** POST /embeddings: parse, run, encode (embeddings:*). */
export const createEmbeddings = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  const outcome = await runOperation(
    service.engine,
    planOf(service, access, request, await prepare(service, access, request)),
  );
  if (outcome.kind === 'refused') throw refusedError(outcome);
  const { operation, body, replayed } = outcome;
  return {
    status: 200,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-request-id': operation.id,
      'idempotency-replayed': String(replayed),
    },
    body: encodeUnary(service.brand, operation, body),
  };
};
