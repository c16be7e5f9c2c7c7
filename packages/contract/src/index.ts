export { AgentRequestBody, parseAgentRequest, type AgentRequest } from './resources/interaction/agent-request.ts';
export { checkInteractionTools, mergeInteractionTools } from './resources/interaction/check-interaction-tools.ts';
export type { AgentConfig, InteractionConfig, InteractionFormat } from './resources/interaction/interaction-config.ts';
export {
  isOfMediaKind,
  type InteractionItem,
  type InteractionMediaKind,
} from './resources/interaction/interaction-input.ts';
export {
  InteractionRequestBody,
  parseInteractionRequest,
  type InteractionRequest,
} from './resources/interaction/interaction-request.ts';
export { agentRecords, interactionRecords } from './resources/interaction/interaction-record.ts';
export {
  interactionEndings,
  InteractionStep,
  type InteractionEnding,
  type ToolStepName,
} from './resources/interaction/interaction-step.ts';
export { InteractionTool } from './resources/interaction/interaction-tool.ts';
export { toMediaValue, type MediaValue, type WireMediaValue } from './media/media-value.ts';
export { autoModelId, defaultBrand } from './brand.ts';
export type { CatalogModel, EmbeddingOffer, RefusableSetting, VideoOffer } from './catalog/catalog-model.ts';
export { catalogCheck } from './catalog/catalog-check.ts';
export { defaultCatalog } from './catalog/catalog.ts';
export {
  ChatUsage,
  OperationReceipt,
  chatCompletionChunkSchema,
  chatCompletionSchema,
  finishReasons,
  type ChatCompletion,
  type ChatCompletionChunk,
  type FinishReason,
} from './chat/chat-completion.ts';
export type { ChatMessage, ChatToolCall } from './chat/chat-message.ts';
export type { ChatPart } from './chat/chat-part.ts';
export { ChatRequestBody } from './chat/chat-request-body.ts';
export { parseChatRequest, type ChatPolicy, type ChatRequest } from './chat/chat-request.ts';
export type { ChatTool, ToolChoice } from './chat/chat-tool.ts';
export { isCallArguments } from './chat/to-chat-message.ts';
export { cameAs } from './fields/came.ts';
export { checkClientSchema } from './fields/client-schema.ts';
export { unknownFieldSentence, type Path } from './fields/field-fault.ts';
export { fieldPath, safeName } from './fields/field-path.ts';
export { isKeptText } from './fields/kept-text.ts';
export { readAt } from './fields/read-at.ts';
export { checkResponseSchema } from './fields/response-schema.ts';
export { editDistance } from './fields/nearest-word.ts';
export { listError, noObjectError, refusedValue } from './fields/refused-value.ts';
export { embeddingListSchema, type EmbeddingList } from './embeddings/embedding-list.ts';
export type { EmbeddingPart } from './embeddings/embedding-part.ts';
export {
  atBatchItem,
  batchItemPlace,
  BatchRequestBody,
  parseBatchRequest,
  type BatchRequest,
  type BatchRequestItem,
} from './resources/batch/batch-request.ts';
export { batchRecords, BatchResultItem } from './resources/batch/batch-record.ts';
export { cacheRecords } from './resources/cache/cache-record.ts';
export {
  CachePatchBody,
  CacheRequestBody,
  parseCachePatch,
  parseCacheRequest,
  type CacheRequest,
} from './resources/cache/cache-request.ts';
export {
  EmbeddingRequestBody,
  embeddingFlags,
  embeddingTasks,
  type EmbeddingFlag,
} from './embeddings/embedding-request-body.ts';
export { parseEmbeddingRequest, type EmbeddingPolicy, type EmbeddingRequest } from './embeddings/embedding-request.ts';
export {
  environmentNetworkCheck,
  parseEnvironmentNetwork,
  shownNetwork,
  type EnvironmentNetwork,
  type EnvironmentNetworkBody,
  type NetworkRule,
} from './resources/environment/environment-network.ts';
export { clashAmong, foldersAbove, isEnvironmentPath } from './resources/environment/environment-path.ts';
export { EnvironmentFileList, environmentSchemas } from './resources/environment/environment-record.ts';
export {
  EnvironmentRequestBody,
  parseEnvironmentRequest,
  type EnvironmentRequest,
  type EnvironmentSource,
} from './resources/environment/environment-request.ts';
export { ErrorObject, ErrorText } from './http/error-body.ts';
export {
  errorTable,
  firstRoundErrorCodes,
  hostErrorCodes,
  isErrorCode,
  secondRoundErrorCodes,
  specErrorCodes,
  type ErrorCode,
  type ErrorRow,
} from './http/error-code.ts';
export {
  contentResponseEventSchema,
  contentResponseSchema,
  type ContentResponse,
} from './generate/content-response.ts';
export type { GenerateModifiers, GeneratePart } from './generate/generate-part.ts';
export { GenerateRequestBody } from './generate/generate-request-body.ts';
export {
  parseGenerateRequest,
  type GenerateContent,
  type GeneratePolicy,
  type GenerateRequest,
  parseInstruction,
} from './generate/generate-request.ts';
export { File, FileList } from './files/file-record.ts';
export { checkFileSize, checkFileType, parseFileUpload, toDisplayName, type FileUpload } from './files/file-upload.ts';
export { parseStrictBody } from './http/strict-body.ts';
export { GatewayError, isGatewayError, type GatewayErrorOptions } from './http/gateway-error.ts';
export { isUuid } from './is-uuid.ts';
export { parseIdempotencyKey } from './http/idempotency-key.ts';
export { decodeBase64 } from './media/base64.ts';
export { hasBytesAt } from './media/has-bytes-at.ts';
export { createBase64Decoder, type Base64Decoder } from './media/base64-decoder.ts';
export { readDeclared, splitDataUrl } from './chat/data-url.ts';
export { isLifted, liftedHeadBytes, liftedTailBytesMax, MediaData, type LiftedData } from './media/lifted-data.ts';
export {
  bodyBounds,
  bodyTurnBounds,
  chatBounds,
  environmentBounds,
  embeddingBounds,
  generateBounds,
  interactionBounds,
  videoBounds,
  limits,
  liveBounds,
  agentBounds,
  schemaBounds,
  uploadBounds,
  triggerBounds,
} from './limits.ts';
export { LiveAccess } from './live/live-access.ts';
export { LiveConfig } from './live/live-config.ts';
export { readAudio, type AudioMessage, type LiveAudio } from './live/audio-message.ts';
export { liveKinds, parseLiveMessage, type LiveClientMessage, type LiveKind } from './live/live-message.ts';
export { LiveRequestBody, parseLiveRequest, type LiveRequest } from './live/live-request.ts';
export { isWorkableSchema } from './fields/judge-schema.ts';
export { asksForPatterns, compilesPatterns } from './fields/schema-patterns.ts';
export { createJsonScanner, type JsonBounds, type JsonScanner, type TextSpan } from './json/json-scanner.ts';
export { jsonBounds, jsonBreachError, scanJson, type ScannedJson } from './json/scan-json.ts';
export { parsePlace, type PlacePattern } from './json/place-pattern.ts';
export { isMediaOf } from './media/media-data.ts';
export { isRecord, type JsonRecord } from './json/json-record.ts';
export { parseEnabledPatch } from './http/enabled-patch.ts';
export { Trigger, TriggerList, TriggerRun, TriggerRunList } from './triggers/trigger-record.ts';
export {
  defaultTimeZone,
  parseTriggerRequest,
  TriggerRequestBody,
  type TriggerRequest,
} from './triggers/trigger-request.ts';
export {
  CreatedWebhook,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookList,
} from './webhooks/webhook-record.ts';
export {
  eventTypes,
  parseWebhookRequest,
  WebhookRequestBody,
  type EventType,
  type WebhookRequest,
} from './webhooks/webhook-request.ts';
export { imageTypes, mediaTypeByExtension, mediaTypes, type MediaType } from './media/media-type.ts';
export { modelFamilies, routeFamilies, type ModelFamily, type RouteFamily } from './catalog/model-family.ts';
export { AccountBalance, AccountLimits, AccountUsage, AccountUsageList } from './account/account-records.ts';
export { accountUsageGroups, type AccountUsageGroup } from './account/account-routes.ts';
export { Model, ModelList, knownCapabilities } from './catalog/model.ts';
export type { ModelPrices } from './catalog/model-prices.ts';
export {
  canMove,
  isEnded,
  operationStates,
  requestStatus,
  requestStatuses,
  transitions,
  type LedgerEffect,
  type OperationState,
  type RequestStatus,
  type Transition,
} from './operation-state.ts';
export { RequestRecord } from './http/request-record.ts';
export {
  isCancellable,
  isResourceKind,
  resourceKinds,
  resourceAvailabilities,
  resourceState,
  resourceStates,
  statesByKind,
  type ResourceKind,
  type ResourceAvailability,
  type ResourceState,
} from './resources/resource-state.ts';
export type { ResponseFormat } from './chat/response-format.ts';
export type { PathParameters } from './http/path-parameters.ts';
export { basePath, routes, type RouteId } from './http/route-table.ts';
export type { Route, RouteAnswer } from './http/route.ts';
export { documentSchemas, storeSchemas } from './resources/store/store-record.ts';
export {
  DocumentRequestBody,
  parseDocumentRequest,
  parseStoreRequest,
  StoreRequestBody,
  type DocumentRequest,
  type StoreRequest,
} from './resources/store/store-request.ts';
export { parseVideoRequest, VideoRequestBody, type VideoRequest } from './resources/video/video-request.ts';
