import { GatewayError, limits, type CatalogModel } from '@tollgate/contract';
import { estimateInput, runOperation, type Access, type OperationPlan } from '@tollgate/engine';
import type { CallContext, Judgement, ModerationCall, Moderations, Provider } from '@tollgate/provider';
import type { OperationRecord } from '@tollgate/storage';
import { encodeUnary } from '../../../chat/encode-completion.ts';
import { checkCapabilities } from '../../../check-capabilities.ts';
import { namesOf } from '../../../field-names.ts';
import type { GatewayRequest } from '../../../gateway-request.ts';
import { admitCall, admittedModel } from '../../../hooks/admit-call.ts';
import { identityOf } from '../../../identity-of.ts';
import { readMediaJson } from '../../../media-json/read-media-json.ts';
import { identityPath, namedModel } from '../../../named-model.ts';
import { operationAnswer } from '../../../operation-answer.ts';
import { refusedError } from '../../../refused-error.ts';
import { refusalOf, requireProvider, resolveModel } from '../../../resolve-model.ts';
import { retryOf } from '../../../retry-of.ts';
import type { Service } from '../../../service.ts';
import type { DialectMethod } from '../../dialect.ts';
import { mediaCall } from '../media-call.ts';
import { moderationPlaces, readModeration } from './read-moderation.ts';

const path = '/moderations';
/** What a model says of itself in the catalog. */
const capability = 'moderation';
const fieldNames = namesOf({ contents: 'input' });

/** A moderation that is checked and about to be opened. */
interface Prepared {
  readonly model: CatalogModel;
  readonly inputs: ModerationCall['inputs'];
  readonly identity: string | null;
  readonly fingerprint: string;
}

const notOffered = ({ id }: CatalogModel): GatewayError =>
  new GatewayError('model_incompatible', {
    detail: `The model ${id} does not offer moderation; accepted is a model whose capabilities list ${capability}.`,
  });

/** A model whose entry offers it, and whose provider has it. */
const checkModel = (service: Service, model: CatalogModel): void => {
  const provider = service.models.providerOf(model);
  const isOffered = model.capabilities.includes(capability);
  if (!isOffered || (provider !== null && provider.moderate === undefined)) throw notOffered(model);
};

/** The inputs as the contents of a call, by which they are checked and estimated. */
const callOf = (model: CatalogModel, inputs: ModerationCall['inputs']) =>
  mediaCall(
    model,
    inputs.map((parts) => ({ role: 'user', parts })),
  );

const moderate = (provider: Provider, call: ModerationCall, context: CallContext): Promise<Moderations> => {
  if (provider.moderate === undefined) throw new GatewayError('service_unavailable');
  return provider.moderate(call, context);
};

const toResult = ({ isFlagged, categories }: Judgement) => ({
  flagged: isFlagged,
  categories: Object.fromEntries(categories.map((each) => [each.name, each.isFlagged])),
  category_scores: Object.fromEntries(categories.map((each) => [each.name, each.score])),
  category_applied_input_types: Object.fromEntries(categories.map((each) => [each.name, each.appliedTo])),
});

/** What is stored of a moderation. Throws where a provider returns something other than was requested: it ran with an unknown result. */
const planModeration = (
  { inputs }: Prepared,
  { judgements }: Moderations,
  { id, model }: Pick<OperationRecord, 'id' | 'model'>,
): ReturnType<OperationPlan<Moderations>['answer']> => {
  if (judgements.length !== inputs.length)
    throw new Error(`${judgements.length} judgements of ${inputs.length} inputs`);
  return { body: JSON.stringify({ id: `modr-${id}`, model, results: judgements.map(toResult) }), toolContexts: [] };
};

interface Question {
  readonly service: Service;
  readonly access: Access;
  readonly request: GatewayRequest;
}

const planOf = ({ service, access, request }: Question, prepared: Prepared): OperationPlan<Moderations> => {
  const { model, inputs, identity, fingerprint } = prepared;
  return {
    access,
    kind: 'moderation',
    model: model.id,
    provider: service.models.providerOf(model)?.name ?? '',
    identity,
    fingerprint,
    answerForm: 'json',
    estimate: estimateInput(callOf(model, inputs)),
    refusal: refusalOf(service, model),
    isAbandoned: () => request.isGone(),
    ...retryOf(request),
    execute: (context) => {
      const call = { operationId: context.operationId, upstreamModel: model.upstreamId, inputs };
      return moderate(requireProvider(service, model), call, context);
    },
    measure: ({ usage }) => usage,
    answer: (moderations, operation) => planModeration(prepared, moderations, operation),
  };
};

/** `POST /moderations`: what a model finds objectionable in texts and images, charged by the input. */
const createModeration: DialectMethod['run'] = async (service, caller, request) => {
  const identity = identityOf(request);
  const { value, fingerprint, release } = await readMediaJson(service, request, {
    path: identityPath(request, path),
    bytesMax: limits.bodyBytesMax.generate,
    places: moderationPlaces,
    dataUrls: true,
  });
  try {
    const asked = readModeration(value);
    const named = resolveModel(service, caller, namedModel(request, asked.model), 'chat');
    const access = caller.asked === undefined ? caller : await admitCall(service, { access: caller, model: named });
    const model = admittedModel(service, access, named);
    checkModel(service, model);
    checkCapabilities(model, callOf(model, asked.inputs), service.models.providerOf(model));
    const prepared = { model, inputs: asked.inputs, identity, fingerprint };
    const outcome = await runOperation(service.engine, planOf({ service, access, request }, prepared));
    if (outcome.kind === 'refused') throw refusedError(outcome, fieldNames);
    return operationAnswer(outcome, encodeUnary(service.brand, outcome.operation, outcome.body));
  } finally {
    await release();
  }
};

export const moderationMethod: DialectMethod = { route: 'generateContent', purpose: 'opening', run: createModeration };
