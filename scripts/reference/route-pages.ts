// The pages of the reference and the routes of each, in the order of the sidebar.
import type { RouteId } from '@tollgate/contract';

export interface RoutePage {
  /** The name of the page below `docs/reference/routes`. */
  readonly name: string;
  readonly title: string;
  /** The guide, below `docs`, that explains the routes. */
  readonly guide: string;
  readonly routes: readonly RouteId[];
}

export const routePages: readonly RoutePage[] = [
  {
    name: 'chat-completions',
    title: 'Chat completions',
    guide: 'routes/chat',
    routes: ['createChatCompletion'],
  },
  {
    name: 'generate',
    title: 'Generate content',
    guide: 'routes/generate',
    routes: ['generateContent', 'streamGenerateContent'],
  },
  { name: 'embeddings', title: 'Embeddings', guide: 'routes/embeddings', routes: ['createEmbeddings'] },
  {
    name: 'files',
    title: 'Files',
    guide: 'routes/files',
    routes: ['createFile', 'listFiles', 'getFile', 'deleteFile'],
  },
  {
    name: 'caches',
    title: 'Caches',
    guide: 'routes/caches',
    routes: ['createCache', 'listCaches', 'getCache', 'patchCache', 'deleteCache'],
  },
  {
    name: 'batches',
    title: 'Batches',
    guide: 'routes/batches',
    routes: ['createBatch', 'listBatches', 'getBatch', 'cancelBatch', 'deleteBatch'],
  },
  {
    name: 'videos',
    title: 'Videos',
    guide: 'routes/videos',
    routes: ['createVideo', 'listVideos', 'getVideo', 'getVideoContent', 'deleteVideo'],
  },
  {
    name: 'stores',
    title: 'Stores',
    guide: 'routes/stores',
    routes: ['createStore', 'listStores', 'getStore', 'deleteStore'],
  },
  {
    name: 'documents',
    title: 'Documents',
    guide: 'routes/stores',
    routes: ['createDocument', 'listDocuments', 'getDocument', 'deleteDocument'],
  },
  {
    name: 'interactions',
    title: 'Interactions',
    guide: 'routes/interactions',
    routes: [
      'createInteraction',
      'listInteractions',
      'getInteraction',
      'getInteractionContent',
      'cancelInteraction',
      'deleteInteraction',
    ],
  },
  {
    name: 'agents',
    title: 'Agents',
    guide: 'routes/interactions',
    routes: ['createAgent', 'listAgents', 'getAgent', 'deleteAgent'],
  },
  {
    name: 'environments',
    title: 'Environments',
    guide: 'routes/environments',
    routes: ['createEnvironment', 'listEnvironments', 'getEnvironment', 'listEnvironmentFiles', 'deleteEnvironment'],
  },
  { name: 'live', title: 'Realtime sessions', guide: 'routes/live', routes: ['createLiveSession'] },
  {
    name: 'webhooks',
    title: 'Webhooks',
    guide: 'webhooks',
    routes: ['createWebhook', 'listWebhooks', 'getWebhook', 'patchWebhook', 'deleteWebhook', 'listDeliveries'],
  },
  {
    name: 'triggers',
    title: 'Triggers',
    guide: 'triggers',
    routes: ['createTrigger', 'listTriggers', 'getTrigger', 'patchTrigger', 'deleteTrigger', 'listTriggerRuns'],
  },
  {
    name: 'account',
    title: 'Account',
    guide: 'routes/account',
    routes: ['getAccountBalance', 'getAccountUsage', 'getAccountLimits'],
  },
  {
    name: 'models',
    title: 'Models',
    guide: 'routes/models-and-requests',
    routes: ['listModels', 'getModel'],
  },
  {
    name: 'requests',
    title: 'Requests and the description',
    guide: 'routes/models-and-requests',
    routes: ['getRequest', 'getOpenApi'],
  },
];
