import { GatewayError, type PathParameters, type RouteId } from '@tollgate/contract';
import type { Access } from '@tollgate/engine';
import { getAccountBalance } from './account/account-balance.ts';
import { getAccountLimits } from './account/account-limits.ts';
import { getAccountUsage } from './account/account-usage.ts';
import { createAgent } from './agents/create-agent.ts';
import { authenticate } from './authenticate.ts';
import { belowBase } from './below-base.ts';
import { createBatch } from './batches/create-batch.ts';
import { deleteCache, patchCache } from './caches/change-cache.ts';
import { createCache } from './caches/create-cache.ts';
import { createChatCompletion } from './chat/create-chat-completion.ts';
import { createEmbeddings } from './embeddings/create-embeddings.ts';
import { createEnvironment } from './environments/create-environment.ts';
import { listFilesOfEnvironment } from './environments/list-environment-files.ts';
import { createFileFromForm, isForm } from './files/create-file-from-form.ts';
import { createFileFromJson } from './files/create-file.ts';
import { deleteFileOf, getFile, listFilesOf } from './files/file-queries.ts';
import type { GatewayHandler, GatewayRequest, GatewayResponse } from './gateway-request.ts';
import { generateContent } from './generate/generate-content.ts';
import { streamGenerateContent } from './generate/stream-generate-content.ts';
import { getRequest } from './get-request.ts';
import { anthropicDialect } from './dialects/anthropic/anthropic-dialect.ts';
import { withDialect } from './dialects/dialect.ts';
import { googleDialect } from './dialects/google/google-dialect.ts';
import { createInteraction } from './interactions/create-interaction.ts';
import { getInteractionContent } from './interactions/get-interaction-content.ts';
import { getModel, listModels } from './list-models.ts';
import { getOpenApi } from './get-open-api.ts';
import { createLive } from './live/create-live.ts';
import { hostDialect } from './dialects/host-dialect.ts';
import { ollamaDialect } from './dialects/ollama/ollama-dialect.ts';
import { openaiDialect } from './dialects/openai/openai-dialect.ts';
import { heardBy, openHearing, withReports } from './limits/limit-headers.ts';
import { withMeansFirst } from './means-first.ts';
import { renderError } from './render-error.ts';
import { cancelResourceOf, deleteResourceOf, getResource, listResourcesOf } from './resources/resource-queries.ts';
import { createRouter, type RouteMatch } from './router.ts';
import { serviceOf } from './service-of.ts';
import type { Service } from './service.ts';
import { createPrefixWarning } from './stripped-prefix.ts';
import { createDocument } from './stores/create-document.ts';
import { createStore } from './stores/create-store.ts';
import { createTrigger } from './triggers/create-trigger.ts';
import { triggerQueries } from './triggers/trigger-queries.ts';
import { unknownMethodDetail, unknownPathDetail } from './unknown-path.ts';
import { createVideo } from './videos/create-video.ts';
import { getVideoContent } from './videos/get-video-content.ts';
import { withRequestId } from './with-request-id.ts';
import { inTurns } from './with-turns.ts';
import { withAsked } from './hooks/with-asked.ts';
import { createWebhook } from './webhooks/create-webhook.ts';
import { webhookQueries } from './webhooks/webhook-queries.ts';

interface Call<Id extends RouteId> {
  readonly service: Service;
  readonly access: Access;
  readonly request: GatewayRequest;
  readonly parameters: PathParameters<Id>;
}

type RouteHandlers = {
  readonly [Id in RouteId]: (call: Call<Id>) => GatewayResponse | Promise<GatewayResponse>;
};

/** One handler for each row of the route table; the type demands it. */
const handlers: RouteHandlers = {
  listModels: ({ service, access }) => listModels(service, access),
  getModel: ({ service, access, parameters }) => getModel(service, access, parameters.model),
  createChatCompletion: ({ service, access, request }) => createChatCompletion(service, access, request),
  generateContent: ({ service, access, request, parameters }) =>
    generateContent({ service, access, request, asked: parameters.model }),
  streamGenerateContent: ({ service, access, request, parameters }) =>
    streamGenerateContent({ service, access, request, asked: parameters.model }),
  createEmbeddings: ({ service, access, request }) => createEmbeddings(service, access, request),
  createFile: ({ service, access, request }) =>
    (isForm(service, request) ? createFileFromForm : createFileFromJson)(service, access, request),
  listFiles: ({ service, access, request }) => listFilesOf(service, access, request),
  getFile: ({ service, access, request, parameters }) => getFile(service, access, request, parameters.file_id),
  deleteFile: ({ service, access, request, parameters }) => deleteFileOf(service, access, request, parameters.file_id),
  createCache: ({ service, access, request }) => createCache(service, access, request),
  listCaches: ({ service, access }) => listResourcesOf(service, access, 'cache'),
  getCache: ({ service, access, parameters }) => getResource(service, access, { kind: 'cache', id: parameters.id }),
  patchCache: ({ service, access, request, parameters }) => patchCache(service, access, request, parameters.id),
  deleteCache: ({ service, access, parameters }) => deleteCache(service, access, parameters.id),
  createBatch: ({ service, access, request }) => createBatch(service, access, request),
  listBatches: ({ service, access }) => listResourcesOf(service, access, 'batch'),
  getBatch: ({ service, access, parameters }) => getResource(service, access, { kind: 'batch', id: parameters.id }),
  deleteBatch: ({ service, access, parameters }) =>
    deleteResourceOf(service, access, { kind: 'batch', id: parameters.id }),
  cancelBatch: ({ service, access, parameters }) =>
    cancelResourceOf(service, access, { kind: 'batch', id: parameters.id }),
  createStore: ({ service, access, request }) => createStore(service, access, request),
  listStores: ({ service, access }) => listResourcesOf(service, access, 'store'),
  getStore: ({ service, access, parameters }) => getResource(service, access, { kind: 'store', id: parameters.id }),
  deleteStore: ({ service, access, parameters }) =>
    deleteResourceOf(service, access, { kind: 'store', id: parameters.id }),
  createDocument: ({ service, access, request }) => createDocument(service, access, request),
  listDocuments: ({ service, access }) => listResourcesOf(service, access, 'document'),
  getDocument: ({ service, access, parameters }) =>
    getResource(service, access, { kind: 'document', id: parameters.id }),
  deleteDocument: ({ service, access, parameters }) =>
    deleteResourceOf(service, access, { kind: 'document', id: parameters.id }),
  createVideo: ({ service, access, request }) => createVideo(service, access, request),
  listVideos: ({ service, access }) => listResourcesOf(service, access, 'video'),
  getVideo: ({ service, access, parameters }) => getResource(service, access, { kind: 'video', id: parameters.id }),
  deleteVideo: ({ service, access, parameters }) =>
    deleteResourceOf(service, access, { kind: 'video', id: parameters.id }),
  getVideoContent: ({ service, access, request, parameters }) =>
    getVideoContent(service, access, request, parameters.id),
  createEnvironment: ({ service, access, request }) => createEnvironment(service, access, request),
  listEnvironments: ({ service, access }) => listResourcesOf(service, access, 'environment'),
  getEnvironment: ({ service, access, parameters }) =>
    getResource(service, access, { kind: 'environment', id: parameters.id }),
  deleteEnvironment: ({ service, access, parameters }) =>
    deleteResourceOf(service, access, { kind: 'environment', id: parameters.id }),
  listEnvironmentFiles: ({ service, access, request, parameters }) =>
    listFilesOfEnvironment(service, access, request, parameters.id),
  createInteraction: ({ service, access, request }) => createInteraction(service, access, request),
  listInteractions: ({ service, access }) => listResourcesOf(service, access, 'interaction'),
  getInteraction: ({ service, access, parameters }) =>
    getResource(service, access, { kind: 'interaction', id: parameters.id }),
  deleteInteraction: ({ service, access, parameters }) =>
    deleteResourceOf(service, access, { kind: 'interaction', id: parameters.id }),
  cancelInteraction: ({ service, access, parameters }) =>
    cancelResourceOf(service, access, { kind: 'interaction', id: parameters.id }),
  getInteractionContent: ({ service, access, request, parameters }) =>
    getInteractionContent(service, access, request, parameters.id),
  createAgent: ({ service, access, request }) => createAgent(service, access, request),
  listAgents: ({ service, access }) => listResourcesOf(service, access, 'agent'),
  getAgent: ({ service, access, parameters }) => getResource(service, access, { kind: 'agent', id: parameters.id }),
  deleteAgent: ({ service, access, parameters }) =>
    deleteResourceOf(service, access, { kind: 'agent', id: parameters.id }),
  createLiveSession: ({ service, access, request }) => createLive(service, access, request),
  createWebhook: ({ service, access, request }) => createWebhook(service, access, request),
  listWebhooks: ({ service, access }) => webhookQueries.list(service, access),
  getWebhook: ({ service, access, parameters }) => webhookQueries.get(service, access, parameters.id),
  patchWebhook: ({ service, access, request, parameters }) =>
    webhookQueries.patch(service, access, request, parameters.id),
  deleteWebhook: ({ service, access, parameters }) => webhookQueries.disable(service, access, parameters.id),
  listDeliveries: ({ service, access, parameters }) => webhookQueries.history(service, access, parameters.id),
  createTrigger: ({ service, access, request }) => createTrigger(service, access, request),
  listTriggers: ({ service, access }) => triggerQueries.list(service, access),
  getTrigger: ({ service, access, parameters }) => triggerQueries.get(service, access, parameters.id),
  patchTrigger: ({ service, access, request, parameters }) =>
    triggerQueries.patch(service, access, request, parameters.id),
  deleteTrigger: ({ service, access, parameters }) => triggerQueries.disable(service, access, parameters.id),
  listTriggerRuns: ({ service, access, parameters }) => triggerQueries.history(service, access, parameters.id),
  getAccountBalance: ({ service, access, request }) => getAccountBalance(service, access, request),
  getAccountUsage: ({ service, access, request }) => getAccountUsage(service, access, request),
  getAccountLimits: ({ service, access, request }) => getAccountLimits(service, access, request),
  getRequest: ({ service, access, parameters }) => getRequest(service, access, parameters.request_id),
  getOpenApi: ({ service, request }) => getOpenApi(service, request),
};

/** The parameters of every route at once: the path of the one that was found has those that its handler reads. */
const everyParameter = ({ id = '', model = '', file_id = '', request_id = '' }: Readonly<Record<string, string>>) => ({
  id,
  model,
  file_id,
  request_id,
});

const answerFound = async (
  service: Service,
  request: GatewayRequest,
  { route, parameters }: Extract<RouteMatch, { kind: 'found' }>,
): Promise<GatewayResponse> => {
  const heard = openHearing(service);
  try {
    if ('isPublic' in route && !service.openApiNeedsKey)
      return withRequestId(service, request, await getOpenApi(service, request));
    const admitting = authenticate(service, request, route.id, route.charged ? 'opening' : 'query');
    const known = admitting instanceof Promise ? await admitting : admitting;
    const granted = heardBy(heard, known);
    const own = serviceOf(service, granted);
    const caller = { access: granted, request: withMeansFirst(own, request, { access: granted, route: route.id }) };
    const { access, request: asked } = route.charged ? withAsked(own, caller, route.id) : caller;
    const answer = await inTurns(own, access, asked, (turning) =>
      handlers[route.id]({ service: own, access, request: turning, parameters: everyParameter(parameters) }),
    );
    return withReports(service, heard, request, withRequestId(service, request, answer));
  } catch (cause) {
    return withReports(service, heard, request, renderError(service, request, cause, { form: route.errorForm }));
  }
};

/** The whole gateway as one function from request to answer. */
export const createHandler = (service: Service): GatewayHandler => {
  const { openai, anthropic, google, ollama } = service.compatibility;
  // The last of them sees a request first.
  const dialects = [
    ...(service.dialects.length === 0 ? [] : [hostDialect(service.dialects)]),
    ...(openai === true ? [openaiDialect] : []),
    ...(anthropic === true ? [anthropicDialect] : []),
    ...(google === true ? [googleDialect] : []),
    ...(ollama === true ? [ollamaDialect] : []),
  ];
  return dialects.reduce<GatewayHandler>(
    (handle, dialect) => withDialect(service, dialect, handle),
    createContractHandler(service),
  );
};

const unknownMethod = ({ method, path }: GatewayRequest, allow: string): GatewayError =>
  new GatewayError('method_not_allowed', { detail: unknownMethodDetail(method, path, allow) });

const unknownPath = ({ basePath }: Service, { method, path }: GatewayRequest): GatewayError =>
  new GatewayError('not_found', { detail: unknownPathDetail(basePath, method, path) });

const createContractHandler = (service: Service): GatewayHandler => {
  const router = createRouter();
  const warnOfPrefix = createPrefixWarning(service, router);
  const refuseUnfound = async (
    request: GatewayRequest,
    match: Exclude<RouteMatch, { kind: 'found' }>,
  ): Promise<GatewayResponse> => {
    switch (match.kind) {
      case 'method_not_allowed':
        return renderError(service, request, unknownMethod(request, match.allow), {
          form: 'object',
          headers: { allow: match.allow },
        });
      case 'unknown':
        warnOfPrefix(request);
        return renderError(service, request, unknownPath(service, request), {
          form: 'object',
        });
    }
  };
  return (request) => {
    const path = belowBase(service.basePath, request.path);
    const match: RouteMatch = path === null ? { kind: 'unknown' } : router(request.method, path);
    return match.kind === 'found' ? answerFound(service, request, match) : refuseUnfound(request, match);
  };
};
