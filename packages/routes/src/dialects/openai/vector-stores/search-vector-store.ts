import { GatewayError, limits, type CatalogModel } from '@tollgate/contract';
import {
  estimateEmbedding,
  pricesNow,
  runOperation,
  searchDocuments,
  storeWork,
  type Access,
  type DocumentFindings,
  type FoundPassage,
  type FoundResource,
  type OperationPlan,
} from '@tollgate/engine';
import type { Usage } from '@tollgate/provider';
import { encodeUnary } from '../../../chat/encode-completion.ts';
import { fingerprint } from '../../../fingerprint.ts';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';
import { admitCall } from '../../../hooks/admit-call.ts';
import { identityOf } from '../../../identity-of.ts';
import { operationAnswer } from '../../../operation-answer.ts';
import { readJson } from '../../../read-json.ts';
import { refusedError } from '../../../refused-error.ts';
import { refusalOf } from '../../../resolve-model.ts';
import { requireResource } from '../../../resources/resource-queries.ts';
import { retryOf } from '../../../retry-of.ts';
import type { Service } from '../../../service.ts';
import { parseSearch, type VectorStoreSearch } from './search-body.ts';

interface SearchQuestion {
  readonly service: Service;
  readonly access: Access;
  readonly request: GatewayRequest;
  readonly store: FoundResource['resource'];
  readonly search: VectorStoreSearch;
}

/** The model of a store embeds the questions about it. */
const modelOf = ({ service, store }: SearchQuestion): CatalogModel => {
  if (storeWork(store.work)?.upstream !== undefined)
    throw new GatewayError('model_incompatible', {
      detail: 'The store is kept by the provider of its model; accepted is a store that the gateway indexes.',
    });
  const model = service.models.find(store.model);
  if (model === null) throw new GatewayError('service_unavailable');
  return model;
};

const resultOf = ({ fileId, fileName, score, text, wire }: FoundPassage) => ({
  file_id: fileId,
  filename: fileName,
  score: Number(score.toFixed(6)),
  attributes: wire?.echo['attributes'] ?? null,
  content: [{ type: 'text', text }],
});

/** A search without documents asks nothing of a provider; that is a measure, too. */
const measureOf = ({ usage }: DocumentFindings): readonly Usage[] => [
  ...usage,
  { unit: 'retrieval_queries', quantity: usage.length === 0 ? 0 : 1, confirmed: true },
];

const executionOf =
  ({ service, access, store, search }: SearchQuestion): OperationPlan<DocumentFindings>['execute'] =>
  (context) => {
    const findEmbedder = (id: string) => {
      const model = service.models.find(id);
      const provider = model === null ? null : service.models.providerOf(model);
      return model === null || provider === null ? null : { provider, upstreamModel: model.upstreamId };
    };
    return searchDocuments(
      { engine: service.engine, findEmbedder, callContext: () => context },
      {
        operationId: context.operationId,
        projectId: access.projectId,
        storeIds: [store.id],
        query: search.query,
        limit: search.resultsMax,
      },
    );
  };

const bodyOf = ({ search }: SearchQuestion, { passages }: DocumentFindings): string =>
  JSON.stringify({
    object: 'vector_store.search_results.page',
    search_query: [search.query],
    data: passages.filter(({ score }) => score >= search.scoreMin).map(resultOf),
    has_more: false,
    next_page: null,
  });

const planOf = (
  question: SearchQuestion,
  named: Pick<OperationPlan<DocumentFindings>, 'identity' | 'fingerprint'>,
): OperationPlan<DocumentFindings> => {
  const { service, access, request, store, search } = question;
  const model = modelOf(question);
  const call = { upstreamModel: model.upstreamId, input: { kind: 'texts', texts: [search.query] } } as const;
  const tariff = pricesNow(service.engine, { access, model: model.id, kind: 'search' });
  return {
    access,
    ...named,
    kind: 'search',
    model: model.id,
    provider: service.models.providerOf(model)?.name ?? '',
    answerForm: 'json',
    estimate: [...estimateEmbedding(call, tariff), { unit: 'retrieval_queries', quantity: 1 }],
    refusal: refusalOf(service, model),
    uses: [{ id: store.id, kind: 'store', model: null }],
    isAbandoned: () => request.isGone(),
    ...retryOf(request),
    execute: executionOf(question),
    measure: measureOf,
    answer: (findings) => ({ body: bodyOf(question, findings), toolContexts: [] }),
  };
};

/** `POST /vector_stores/{id}/search`: an operation of its own, at the prices of the model of the store. */
export const searchVectorStore = async (
  service: Service,
  caller: Access,
  request: GatewayRequest,
  id: string,
): Promise<GatewayResponse> => {
  const identity = identityOf(request);
  const { value, bytes } = await readJson(service, request, limits.bodyBytesMax.other);
  const search = parseSearch(value);
  // Whether it can be used is decided by the step that opens the operation, so that a repeat outlives it.
  const { resource: store } = await requireResource(service, caller, { kind: 'store', id });
  const print = fingerprint(request.method, `/vector_stores/${store.id}/search`, bytes);
  const question = { service, access: caller, request, store, search };
  const access =
    caller.asked === undefined
      ? caller
      : await admitCall(service, { access: caller, model: modelOf(question), isPart: true });
  const plan = planOf({ ...question, access }, { identity, fingerprint: print });
  const outcome = await runOperation(service.engine, plan);
  if (outcome.kind === 'refused') throw refusedError(outcome);
  return operationAnswer(outcome, encodeUnary(service.brand, outcome.operation, outcome.body));
};
