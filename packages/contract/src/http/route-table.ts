import { z } from 'zod';
import { chatCompletionSchema } from '../chat/chat-completion.ts';
import { accountRoutes } from '../account/account-routes.ts';
import { batchRoutes } from '../resources/batch/batch-routes.ts';
import { cacheRoutes } from '../resources/cache/cache-routes.ts';
import { ChatRequestBody } from '../chat/chat-request-body.ts';
import { embeddingListSchema } from '../embeddings/embedding-list.ts';
import { EmbeddingRequestBody } from '../embeddings/embedding-request-body.ts';
import { environmentRoutes } from '../resources/environment/environment-routes.ts';
import { DeletedFile, File, FileList } from '../files/file-record.ts';
import { FileUploadBody } from '../files/file-upload.ts';
import { contentResponseSchema } from '../generate/content-response.ts';
import { GenerateRequestBody } from '../generate/generate-request-body.ts';
import { interactionRoutes } from '../resources/interaction/interaction-routes.ts';
import { limits } from '../limits.ts';
import { LiveAccess } from '../live/live-access.ts';
import { LiveRequestBody } from '../live/live-request.ts';
import { Model, ModelList } from '../catalog/model.ts';
import { RequestRecord } from './request-record.ts';
import { contentRoute, resourceCreationStatuses, resourceRoutes } from '../resources/resource-routes.ts';
import type { Route, RouteAnswer } from './route.ts';
import { storeRoutes } from '../resources/store/store-routes.ts';
import { triggerRoutes } from '../triggers/trigger-routes.ts';
import { videoSchemas } from '../resources/video/video-record.ts';
import { VideoRequestBody } from '../resources/video/video-request.ts';
import { webhookRoutes } from '../webhooks/webhook-routes.ts';

// versioning:prefix
/** The prefix under which every route lies. */
export const basePath = '/api/v1/ai';

const json = (description: string, schema: (brand: string) => z.ZodType): RouteAnswer => ({
  description,
  contents: { 'application/json': schema },
});

/** What every route that only reads has in common. */
const query = {
  method: 'GET',
  charged: false,
  takesIdentity: false,
  bodyBytesMax: null,
  family: null,
  request: null,
} as const;

const video = { one: 'Video', many: 'Videos', path: '/videos', noun: 'video' } as const;

// versioning:openapi:complete
/** Every route of this release. Each demands the Bearer credential, but for a public one. */
export const routes = [
  {
    ...query,
    id: 'listModels',
    path: '/models',
    summary: 'List the models',
    errorForm: 'text',
    pathParameters: null,
    success: json('The public models.', () => ModelList),
    statuses: [200, 401, 402, 403, 429, 503],
  },
  {
    ...query,
    id: 'getModel',
    path: '/models/{model}',
    summary: 'Read one model',
    errorForm: 'text',
    pathParameters: z.object({ model: z.string() }),
    success: json('The public model.', () => Model),
    statuses: [200, 400, 401, 402, 403, 404, 409, 413, 422, 502, 503],
  },
  {
    id: 'createChatCompletion',
    method: 'POST',
    path: '/chat/completions',
    summary: 'Generate a reply to a conversation',
    errorForm: 'object',
    charged: true,
    takesIdentity: true,
    bodyBytesMax: limits.bodyBytesMax.chat,
    family: 'chat',
    pathParameters: null,
    request: ChatRequestBody,
    success: {
      description: 'The completed reply, or its events when stream is true.',
      contents: { 'application/json': chatCompletionSchema, 'text/event-stream': () => z.string() },
    },
    statuses: [200, 400, 401, 402, 403, 404, 409, 413, 422, 429, 499, 502, 503],
  },
  {
    id: 'generateContent',
    method: 'POST',
    path: '/models/{model}:generateContent',
    summary: 'Generate content from contents and parts',
    errorForm: 'object',
    charged: true,
    takesIdentity: true,
    bodyBytesMax: limits.bodyBytesMax.generate,
    family: 'generate',
    pathParameters: z.object({ model: z.string() }),
    request: GenerateRequestBody,
    success: json('The whole answer.', contentResponseSchema),
    statuses: [200, 400, 401, 402, 403, 404, 409, 413, 422, 429, 499, 502, 503],
  },
  {
    id: 'streamGenerateContent',
    method: 'POST',
    path: '/models/{model}:streamGenerateContent',
    summary: 'Generate content piece by piece',
    errorForm: 'object',
    charged: true,
    takesIdentity: true,
    bodyBytesMax: limits.bodyBytesMax.generate,
    family: 'generate',
    pathParameters: z.object({ model: z.string() }),
    request: GenerateRequestBody,
    success: {
      description: 'Events: pieces of the answer, then content.completed with the credits, then [DONE].',
      contents: { 'text/event-stream': () => z.string() },
    },
    statuses: [200, 400, 401, 402, 403, 404, 409, 413, 422, 429, 499, 502, 503],
  },
  {
    id: 'createEmbeddings',
    method: 'POST',
    path: '/embeddings',
    summary: 'Turn texts or content into vectors',
    errorForm: 'object',
    charged: true,
    takesIdentity: true,
    bodyBytesMax: limits.bodyBytesMax.embeddings,
    family: 'embeddings',
    pathParameters: null,
    request: EmbeddingRequestBody,
    success: json('One vector for each text, or one for the content.', embeddingListSchema),
    statuses: [200, 400, 401, 402, 403, 404, 409, 413, 422, 429, 499, 502, 503],
  },
  {
    id: 'createFile',
    method: 'POST',
    path: '/files',
    summary: 'Upload a file',
    errorForm: 'object',
    charged: false,
    takesIdentity: false,
    bodyBytesMax: limits.bodyBytesMax.files,
    family: null,
    pathParameters: null,
    request: FileUploadBody,
    success: json('The file, processing or active.', () => File),
    statuses: [201, 400, 401, 402, 403, 413, 422, 429, 503],
  },
  {
    ...query,
    id: 'listFiles',
    path: '/files',
    summary: 'List the files of the project',
    errorForm: 'object',
    pathParameters: null,
    success: json('At most 100 files, the newest first.', () => FileList),
    statuses: [200, 401, 402, 403, 429, 503],
  },
  {
    ...query,
    id: 'getFile',
    path: '/files/{file_id}',
    summary: 'Query a file',
    errorForm: 'object',
    pathParameters: z.object({ file_id: z.uuid() }),
    success: json('The file, its state freshly checked.', () => File),
    statuses: [200, 401, 402, 403, 404, 429, 503],
  },
  {
    ...query,
    id: 'deleteFile',
    method: 'DELETE',
    path: '/files/{file_id}',
    summary: 'Delete a file',
    errorForm: 'object',
    pathParameters: z.object({ file_id: z.uuid() }),
    success: json('The file as deleted.', () => DeletedFile),
    statuses: [200, 401, 402, 403, 404, 409, 429, 503],
  },
  ...cacheRoutes,
  ...batchRoutes,
  {
    id: 'createVideo',
    method: 'POST',
    path: '/videos',
    summary: 'Generate a video',
    errorForm: 'object',
    charged: true,
    takesIdentity: true,
    bodyBytesMax: limits.bodyBytesMax.videos,
    family: 'videos',
    pathParameters: null,
    request: VideoRequestBody,
    success: json('The video, which may be in progress.', videoSchemas.record),
    statuses: resourceCreationStatuses,
  },
  ...resourceRoutes(video, videoSchemas),
  contentRoute(video, 'video/mp4'),
  ...storeRoutes,
  ...environmentRoutes,
  ...interactionRoutes,
  {
    id: 'createLiveSession',
    method: 'POST',
    path: '/live',
    summary: 'Open a realtime session',
    errorForm: 'object',
    charged: true,
    takesIdentity: true,
    bodyBytesMax: limits.bodyBytesMax.other,
    family: 'live',
    pathParameters: null,
    request: LiveRequestBody,
    success: json('The disposable access to one socket.', () => LiveAccess),
    statuses: [200, 400, 401, 402, 403, 404, 409, 413, 422, 429, 503],
  },
  ...webhookRoutes,
  ...triggerRoutes,
  ...accountRoutes,
  {
    ...query,
    id: 'getRequest',
    path: '/requests/{request_id}',
    summary: 'Query an operation',
    errorForm: 'text',
    pathParameters: z.object({ request_id: z.uuid() }),
    success: json('The request record.', () => RequestRecord),
    statuses: [200, 401, 402, 403, 404, 429, 503],
  },
  {
    ...query,
    id: 'getOpenApi',
    isPublic: true,
    path: '/openapi.json',
    summary: 'Read this description',
    errorForm: 'object',
    pathParameters: null,
    success: json('This description.', () => z.looseObject({ openapi: z.literal('3.1.0') })),
    statuses: [200, 304, 401, 402, 403, 429, 503],
  },
] as const satisfies readonly Route[];

/** The id of a route, so that a router can demand a handler for each. */
export type RouteId = (typeof routes)[number]['id'];
