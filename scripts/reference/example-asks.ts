// One example for each route of the contract, in an order in which each can name what those before it made.
import type { RouteId } from '@tollgate/contract';

/** A record that examples name by its id. */
export type Named =
  | 'file'
  | 'cache'
  | 'batch'
  | 'video'
  | 'store'
  | 'document'
  | 'environment'
  | 'interaction'
  | 'agent'
  | 'webhook'
  | 'trigger'
  | 'request';

export type Ids = Readonly<Record<Named, string>>;

export interface ExampleAsk {
  readonly route: RouteId;
  /** The model to which the key is bound; by default to none, so that the body names one. */
  readonly keyModel?: string;
  /** What stands for `{id}` and the like in the path. */
  readonly id?: (ids: Ids) => string;
  readonly query?: string;
  readonly body?: (ids: Ids) => object;
  /** The text of the `Idempotency-Key`. */
  readonly identity?: string;
  /** The record that the answer names. */
  readonly makes?: Named;
  /** Another request of the same route that only prepares the next example; it is not shown. */
  readonly isHidden?: true;
  /** Whether work that is under way may go on before this request. */
  readonly afterWork?: true;
  /** When that work is done; by default at once. */
  readonly workAt?: string;
}

const hello = { role: 'user', parts: [{ text: 'When does the ferry leave?' }] };

const texts: readonly ExampleAsk[] = [
  { route: 'listModels' },
  { route: 'getModel', id: () => 'flash-3.8' },
  {
    route: 'createChatCompletion',
    identity: 'ferry-1',
    makes: 'request',
    body: () => ({
      model: 'flash-3.8',
      messages: [
        { role: 'system', content: 'Answer in one sentence.' },
        { role: 'user', content: 'When does the ferry leave?' },
      ],
    }),
  },
  {
    route: 'generateContent',
    id: () => 'flash-3.8',
    identity: 'ferry-2',
    body: () => ({ contents: [hello], generationConfig: { temperature: 0.2 } }),
  },
  {
    route: 'streamGenerateContent',
    id: () => 'flash-3.8',
    identity: 'ferry-3',
    body: () => ({ contents: [hello] }),
  },
  {
    route: 'createEmbeddings',
    identity: 'ferry-4',
    body: () => ({ model: 'embedding-2', input: ['The ferry leaves at nine.'], dimensions: 256 }),
  },
];

const files: readonly ExampleAsk[] = [
  {
    route: 'createFile',
    makes: 'file',
    body: () => ({
      display_name: 'timetable.txt',
      mime_type: 'text/plain',
      data: 'VGhlIGZlcnJ5IGxlYXZlcyBhdCBuaW5lLg==',
    }),
  },
  { route: 'listFiles' },
  { route: 'getFile', id: ({ file }) => file },
];

const caches: readonly ExampleAsk[] = [
  {
    route: 'createCache',
    identity: 'cache-1',
    makes: 'cache',
    keyModel: 'flash-3.8',
    body: ({ file }) => ({
      display_name: 'Timetable',
      ttl_seconds: 3600,
      contents: [{ role: 'user', parts: [{ fileData: { fileUri: `files/${file}` } }] }],
    }),
  },
  { route: 'listCaches', afterWork: true },
  { route: 'getCache', id: ({ cache }) => cache },
  { route: 'patchCache', id: ({ cache }) => cache, body: () => ({ ttl_seconds: 7200 }) },
  { route: 'deleteCache', id: ({ cache }) => cache },
];

const batchBody = () => ({
  display_name: 'Night work',
  requests: [{ key: 'question-1', request: { contents: [hello] } }],
});

const batches: readonly ExampleAsk[] = [
  { route: 'createBatch', identity: 'batch-1', makes: 'batch', keyModel: 'flash-3.8', body: batchBody },
  { route: 'listBatches', afterWork: true },
  { route: 'getBatch', id: ({ batch }) => batch },
  { route: 'deleteBatch', id: ({ batch }) => batch },
  { route: 'createBatch', identity: 'batch-2', makes: 'batch', keyModel: 'flash-3.8', body: batchBody, isHidden: true },
  { route: 'cancelBatch', id: ({ batch }) => batch },
];

const videos: readonly ExampleAsk[] = [
  {
    route: 'createVideo',
    identity: 'video-1',
    makes: 'video',
    body: () => ({
      model: 'video-3.1-generate-preview',
      prompt: 'A ferry lands at dawn.',
      duration_seconds: 4,
      resolution: '720p',
    }),
  },
  { route: 'listVideos', afterWork: true },
  { route: 'getVideo', id: ({ video }) => video },
  { route: 'getVideoContent', id: ({ video }) => video, query: 'index=0' },
  { route: 'deleteVideo', id: ({ video }) => video },
];

const stores: readonly ExampleAsk[] = [
  {
    route: 'createStore',
    identity: 'store-1',
    makes: 'store',
    body: () => ({ display_name: 'Timetables' }),
  },
  { route: 'listStores' },
  { route: 'getStore', id: ({ store }) => store },
  {
    route: 'createDocument',
    identity: 'document-1',
    makes: 'document',
    body: ({ store, file }) => ({ store, file }),
  },
  { route: 'listDocuments', afterWork: true },
  { route: 'getDocument', id: ({ document }) => document },
  { route: 'deleteDocument', id: ({ document }) => document },
  { route: 'deleteStore', id: ({ store }) => store },
];

const environments: readonly ExampleAsk[] = [
  {
    route: 'createEnvironment',
    identity: 'environment-1',
    makes: 'environment',
    body: () => ({
      display_name: 'Desk',
      sources: [{ type: 'inline', target: 'data/sales.csv', content: 'month,total' }],
    }),
  },
  { route: 'listEnvironments' },
  { route: 'getEnvironment', id: ({ environment }) => environment },
  { route: 'listEnvironmentFiles', id: ({ environment }) => environment },
  { route: 'deleteEnvironment', id: ({ environment }) => environment },
];

const interactionBody = () => ({ model: 'flash-3.8', input: 'When does the ferry leave?' });

const interactions: readonly ExampleAsk[] = [
  {
    route: 'createAgent',
    identity: 'agent-1',
    makes: 'agent',
    keyModel: 'flash-3.8',
    body: () => ({ display_name: 'Clerk', system_instruction: 'Answer in one sentence.' }),
  },
  { route: 'listAgents' },
  { route: 'getAgent', id: ({ agent }) => agent },
  { route: 'createInteraction', identity: 'interaction-1', makes: 'interaction', body: interactionBody },
  { route: 'listInteractions', afterWork: true },
  { route: 'getInteraction', id: ({ interaction }) => interaction },
  { route: 'deleteInteraction', id: ({ interaction }) => interaction },
  {
    route: 'createInteraction',
    identity: 'interaction-2',
    makes: 'interaction',
    body: interactionBody,
    isHidden: true,
  },
  { route: 'cancelInteraction', id: ({ interaction }) => interaction },
  {
    route: 'createInteraction',
    identity: 'interaction-3',
    makes: 'interaction',
    body: () => ({ model: 'music-3.5', input: 'A quiet tune.' }),
    isHidden: true,
  },
  { route: 'getInteractionContent', id: ({ interaction }) => interaction, query: 'index=0', afterWork: true },
  { route: 'deleteAgent', id: ({ agent }) => agent },
];

const events: readonly ExampleAsk[] = [
  {
    route: 'createWebhook',
    makes: 'webhook',
    body: () => ({ url: 'https://hooks.example.com/events', events: ['request.completed'] }),
  },
  {
    route: 'createChatCompletion',
    body: () => ({ model: 'flash-3.8', messages: [{ role: 'user', content: 'When does the ferry leave?' }] }),
    isHidden: true,
  },
  { route: 'listWebhooks' },
  { route: 'getWebhook', id: ({ webhook }) => webhook },
  { route: 'listDeliveries', id: ({ webhook }) => webhook, afterWork: true },
  { route: 'patchWebhook', id: ({ webhook }) => webhook, body: () => ({ enabled: false }) },
  { route: 'deleteWebhook', id: ({ webhook }) => webhook },
  {
    route: 'createTrigger',
    makes: 'trigger',
    body: () => ({
      display_name: 'Morning report',
      schedule: '0 9 * * MON-FRI',
      time_zone: 'Europe/Lisbon',
      interaction: { model: 'flash-3.8', input: 'Report on yesterday.' },
    }),
  },
  { route: 'listTriggers' },
  { route: 'getTrigger', id: ({ trigger }) => trigger },
  { route: 'listTriggerRuns', id: ({ trigger }) => trigger, afterWork: true, workAt: '2026-11-23T09:00:00.000Z' },
  { route: 'patchTrigger', id: ({ trigger }) => trigger, body: () => ({ enabled: false }) },
  { route: 'deleteTrigger', id: ({ trigger }) => trigger },
];

const rest: readonly ExampleAsk[] = [
  {
    route: 'createLiveSession',
    keyModel: 'flash-2.5-native-audio-latest',
    body: () => ({ config: { generationConfig: { responseModalities: ['TEXT'] } } }),
  },
  { route: 'getRequest', id: ({ request }) => request },
  { route: 'getAccountBalance' },
  { route: 'getAccountUsage', query: 'group_by=model' },
  { route: 'getAccountLimits' },
  { route: 'getOpenApi' },
  { route: 'deleteFile', id: ({ file }) => file },
];

export const exampleAsks: readonly ExampleAsk[] = [
  ...texts,
  ...files,
  ...caches,
  ...batches,
  ...videos,
  ...stores,
  ...environments,
  ...interactions,
  ...events,
  ...rest,
];
