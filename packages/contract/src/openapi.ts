import { z } from 'zod';
import { createDocument, type ZodOpenApiObject, type ZodOpenApiOperationObject } from 'zod-openapi';
import { AccountBalance, AccountLimits, AccountUsage, AccountUsageList } from './account/account-records.ts';
import { chatCompletionChunkSchema, chatCompletionSchema } from './chat/chat-completion.ts';
import { ChatRequestBody } from './chat/chat-request-body.ts';
import { embeddingListSchema } from './embeddings/embedding-list.ts';
import { EmbeddingRequestBody } from './embeddings/embedding-request-body.ts';
import { contentResponseEventSchema, contentResponseSchema } from './generate/content-response.ts';
import { GenerateRequestBody } from './generate/generate-request-body.ts';
import { describeFields } from './field-meanings/describe-fields.ts';
import { batchRecords } from './resources/batch/batch-record.ts';
import { BatchRequestBody } from './resources/batch/batch-request.ts';
import { cacheRecords } from './resources/cache/cache-record.ts';
import { CachePatchBody, CacheRequestBody } from './resources/cache/cache-request.ts';
import { EnvironmentFileList, environmentSchemas } from './resources/environment/environment-record.ts';
import { EnvironmentRequestBody } from './resources/environment/environment-request.ts';
import { DeletedFile, File, FileList } from './files/file-record.ts';
import { FileUploadBody } from './files/file-upload.ts';
import { ErrorObject, ErrorText } from './http/error-body.ts';
import { AgentRequestBody } from './resources/interaction/agent-request.ts';
import { agentRecords, interactionRecords } from './resources/interaction/interaction-record.ts';
import { InteractionRequestBody } from './resources/interaction/interaction-request.ts';
import { limits } from './limits.ts';
import { LiveAccess } from './live/live-access.ts';
import { LiveRequestBody } from './live/live-request.ts';
import { Model, ModelList } from './catalog/model.ts';
import { RequestRecord } from './http/request-record.ts';
import { basePath as contractPath, routes } from './http/route-table.ts';
import type { Route } from './http/route.ts';
import { documentSchemas, storeSchemas } from './resources/store/store-record.ts';
import { DocumentRequestBody, StoreRequestBody } from './resources/store/store-request.ts';
import { videoSchemas } from './resources/video/video-record.ts';
import { VideoRequestBody } from './resources/video/video-request.ts';
import { Trigger, TriggerList, TriggerRun, TriggerRunList } from './triggers/trigger-record.ts';
import { TriggerRequestBody } from './triggers/trigger-request.ts';
import { EnabledPatchBody } from './http/enabled-patch.ts';
import {
  CreatedWebhook,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookList,
} from './webhooks/webhook-record.ts';
import { WebhookRequestBody } from './webhooks/webhook-request.ts';

/** The version of the contract that the description states. */
export const contractVersion = '1.5.0';

export interface OpenApiOptions {
  /** The key of the receipt in answers. */
  readonly brand: string;
  /** Replaces the contract's own version, for a host that publishes its own. */
  readonly version?: string;
  /** Where the host serves the routes; by default the contract's own prefix. */
  readonly basePath?: string;
  /** Whether the host demands a key for the description too; by default it does not. */
  readonly needsKey?: boolean;
}

/** An OpenAPI 3.1.0 description, ready for JSON. */
export type OpenApiDocument = ReturnType<typeof createDocument>;

const statusText: Readonly<Record<number, string>> = {
  400: 'Invalid JSON.',
  401: 'Key missing, wrong or revoked.',
  402: 'Account access unavailable or insufficient balance.',
  403: 'Project paused, access blocked or outside contracted access.',
  404: 'Not found in this project.',
  409: 'In progress, in reconciliation, already failed, or an identity conflict.',
  413: 'Body above the accepted size.',
  416: 'The range lies outside of the content; see Content-Range.',
  422: 'Invalid content or fields, or an incompatible model or tool.',
  429: 'Too many requests, see Retry-After; or a quota of the project does not allow it.',
  499: 'Cancelled before execution.',
  502: 'Execution not completed; query the request before repeating.',
  503: 'Temporarily unavailable; check the state before repeating.',
};

const requestIdHeader = z.uuid().meta({ description: 'The id of the operation, or of this answer alone.' });
const answerHeaders = z.object({ 'X-Request-Id': requestIdHeader });
const namedHeaders = z.object({
  'X-Request-Id': requestIdHeader,
  'Idempotency-Replayed': z.enum(['true', 'false']).meta({ description: 'Whether a stored answer was given again.' }),
  'Cache-Control': z.literal('no-store'),
});

const { charsMin, charsMax } = limits.idempotencyKey;
const identityHeader = z.object({
  'Idempotency-Key': z
    .string()
    .min(charsMin)
    .max(charsMax)
    .regex(/^[\x21-\x7e]+$/)
    .optional()
    .meta({ description: 'Repeats of one operation carry one key and the same bytes.' }),
});

/** Schemas by brand are built once per document, so that a component and its use are the same object. */
type SchemaOf = (build: (brand: string) => z.ZodType) => z.ZodType;

const successAnswer = (route: Route, schemaOf: SchemaOf) => ({
  description: route.success.description,
  headers: route.takesIdentity ? namedHeaders : answerHeaders,
  content: Object.fromEntries(
    Object.entries(route.success.contents).map(([type, build]) => [type, { schema: schemaOf(build) }]),
  ),
});

const unchangedAnswer = { description: 'Unchanged since the answer with this ETag.', headers: answerHeaders };

const errorAnswer = (route: Route, status: number) => ({
  description: statusText[status] ?? '',
  headers: answerHeaders,
  content: { 'application/json': { schema: route.errorForm === 'object' ? ErrorObject : ErrorText } },
});

/** What describing a route takes beside the row. */
interface Describing {
  readonly schemaOf: SchemaOf;
  readonly needsKey: boolean;
}

const answerOf = (route: Route, status: number, schemaOf: SchemaOf) => {
  if (status === 304) return unchangedAnswer;
  return status < 300 ? successAnswer(route, schemaOf) : errorAnswer(route, status);
};

const toOperation = (route: Route, { schemaOf, needsKey }: Describing): ZodOpenApiOperationObject => ({
  operationId: route.id,
  summary: route.summary,
  ...(route.isPublic === true && !needsKey && { security: [] }),
  requestParams: {
    ...(route.pathParameters !== null && { path: route.pathParameters }),
    ...(route.queryParameters !== undefined && { query: route.queryParameters }),
    ...(route.takesIdentity && { header: identityHeader }),
  },
  ...(route.request !== null && {
    requestBody: { required: true, content: { 'application/json': { schema: route.request } } },
  }),
  responses: Object.fromEntries(route.statuses.map((status) => [`${status}`, answerOf(route, status, schemaOf)])),
});

const toPaths = (describing: Describing): NonNullable<ZodOpenApiObject['paths']> => {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: toOperation(route, describing) };
  }
  return paths;
};

/** Of webhooks and triggers; no brand stands in them. */
const eventSchemas = {
  CreatedWebhook,
  EnabledPatch: EnabledPatchBody,
  Trigger,
  TriggerList,
  TriggerRequest: TriggerRequestBody,
  TriggerRun,
  TriggerRunList,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookList,
  WebhookRequest: WebhookRequestBody,
} as const;

/** Of resources: a record, a list of records, and a record as it is deleted. */
const recordsByName = {
  Agent: agentRecords,
  Batch: batchRecords,
  Cache: cacheRecords,
  Document: documentSchemas,
  Environment: environmentSchemas,
  Interaction: interactionRecords,
  Store: storeSchemas,
  Video: videoSchemas,
} as const;

const resourceSchemas = (schemaOf: SchemaOf): Readonly<Record<string, z.ZodType>> =>
  Object.fromEntries(
    Object.entries(recordsByName).flatMap(([name, { record, list, deleted }]) => [
      [name, schemaOf(record)],
      [`${name}List`, schemaOf(list)],
      [`Deleted${name}`, schemaOf(deleted)],
    ]),
  );

/** Describes every route of the route table as OpenAPI 3.1.0. */
export const createOpenApi = (options: OpenApiOptions): OpenApiDocument => {
  const { brand, version = contractVersion, basePath = contractPath, needsKey = false } = options;
  const built = new Map<(brand: string) => z.ZodType, z.ZodType>();
  const schemaOf: SchemaOf = (build) => {
    const schema = built.get(build) ?? build(brand);
    built.set(build, schema);
    return schema;
  };
  const document = createDocument({
    openapi: '3.1.0',
    info: { title: 'Metered AI gateway', version },
    servers: [{ url: basePath === '' ? '/' : basePath }],
    security: [{ bearer: [] }],
    paths: toPaths({ schemaOf, needsKey }),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: {
        AccountBalance,
        AccountLimits,
        AccountUsage,
        AccountUsageList,
        ChatCompletion: schemaOf(chatCompletionSchema),
        ChatCompletionChunk: schemaOf(chatCompletionChunkSchema),
        ChatRequest: ChatRequestBody,
        ContentRequest: GenerateRequestBody,
        ContentResponse: schemaOf(contentResponseSchema),
        ContentResponseEvent: contentResponseEventSchema(),
        EmbeddingList: schemaOf(embeddingListSchema),
        EmbeddingRequest: EmbeddingRequestBody,
        DeletedFile,
        File,
        FileList,
        FileUpload: FileUploadBody,
        ErrorObject,
        ErrorText,
        LiveAccess,
        LiveRequest: LiveRequestBody,
        Model,
        ModelList,
        RequestRecord,
        EnvironmentFileList,
        EnvironmentRequest: EnvironmentRequestBody,
        AgentRequest: AgentRequestBody,
        InteractionRequest: InteractionRequestBody,
        DocumentRequest: DocumentRequestBody,
        StoreRequest: StoreRequestBody,
        VideoRequest: VideoRequestBody,
        CachePatch: CachePatchBody,
        CacheRequest: CacheRequestBody,
        BatchRequest: BatchRequestBody,
        ...resourceSchemas(schemaOf),
        ...eventSchemas,
      },
    },
  });
  const { paths = {}, components = {} } = document;
  return Object.assign(document, {
    paths: describeFields(paths),
    components: { ...components, schemas: describeFields(components.schemas ?? {}) },
  });
};
