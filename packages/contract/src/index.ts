export { AgentRequestBody, parseAgentRequest, type AgentRequest } from './agent-request.ts';
export { mergeInteractionTools } from './check-interaction-tools.ts';
export type { AgentConfig, InteractionConfig, InteractionFormat } from './interaction-config.ts';
export { isOfMediaKind, type InteractionItem, type InteractionMediaKind } from './interaction-input.ts';
export { InteractionRequestBody, parseInteractionRequest, type InteractionRequest } from './interaction-request.ts';
export { agentRecords, interactionRecords } from './interaction-record.ts';
export { interactionEndings, InteractionStep, type InteractionEnding, type ToolStepName } from './interaction-step.ts';
export type { InteractionTool } from './interaction-tool.ts';
export { toMediaValue, type MediaValue, type WireMediaValue } from './media-value.ts';
export { autoModelId, defaultBrand } from './brand.ts';
export type { CatalogModel, EmbeddingOffer, RefusableSetting, VideoOffer } from './catalog-model.ts';
export { defaultCatalog } from './catalog.ts';
export {
  ChatUsage,
  OperationReceipt,
  chatCompletionChunkSchema,
  chatCompletionSchema,
  finishReasons,
  type ChatCompletion,
  type ChatCompletionChunk,
  type FinishReason,
} from './chat-completion.ts';
export type { ChatMessage, ChatToolCall } from './chat-message.ts';
export type { ChatPart } from './chat-part.ts';
export { ChatRequestBody } from './chat-request-body.ts';
export { parseChatRequest, type ChatPolicy, type ChatRequest } from './chat-request.ts';
export type { ChatTool, ToolChoice } from './chat-tool.ts';
export { embeddingListSchema, type EmbeddingList } from './embedding-list.ts';
export type { EmbeddingPart } from './embedding-part.ts';
export {
  atBatchItem,
  BatchRequestBody,
  parseBatchRequest,
  type BatchRequest,
  type BatchRequestItem,
} from './batch-request.ts';
export { batchRecords, BatchResultItem } from './batch-record.ts';
export { cacheRecords } from './cache-record.ts';
export {
  CachePatchBody,
  CacheRequestBody,
  parseCachePatch,
  parseCacheRequest,
  type CacheRequest,
} from './cache-request.ts';
export { EmbeddingRequestBody, embeddingFlags, embeddingTasks, type EmbeddingFlag } from './embedding-request-body.ts';
export { parseEmbeddingRequest, type EmbeddingPolicy, type EmbeddingRequest } from './embedding-request.ts';
export {
  parseEnvironmentNetwork,
  shownNetwork,
  type EnvironmentNetwork,
  type EnvironmentNetworkBody,
  type NetworkRule,
} from './environment-network.ts';
export { clashAmong, foldersAbove, isEnvironmentPath } from './environment-path.ts';
export { EnvironmentFileList, environmentSchemas } from './environment-record.ts';
export {
  EnvironmentRequestBody,
  parseEnvironmentRequest,
  type EnvironmentRequest,
  type EnvironmentSource,
} from './environment-request.ts';
export { ErrorObject, ErrorText } from './error-body.ts';
export {
  errorTable,
  firstRoundErrorCodes,
  secondRoundErrorCodes,
  specErrorCodes,
  type ErrorCode,
  type ErrorRow,
} from './error-code.ts';
export { contentResponseEventSchema, contentResponseSchema, type ContentResponse } from './content-response.ts';
export type { GenerateModifiers, GeneratePart } from './generate-part.ts';
export { GenerateRequestBody } from './generate-request-body.ts';
export {
  parseGenerateRequest,
  type GenerateContent,
  type GeneratePolicy,
  type GenerateRequest,
} from './generate-request.ts';
export { File, FileList } from './file-record.ts';
export { checkFileSize, checkFileType, parseFileUpload, toDisplayName, type FileUpload } from './file-upload.ts';
export { GatewayError, isGatewayError, type GatewayErrorOptions } from './gateway-error.ts';
export { isUuid } from './is-uuid.ts';
export { parseIdempotencyKey } from './idempotency-key.ts';
export { decodeBase64 } from './base64.ts';
export { createBase64Decoder, type Base64Decoder } from './base64-decoder.ts';
export { splitDataUrl } from './data-url.ts';
export { isLifted, liftedHeadBytes, liftedTailBytesMax, MediaData, type LiftedData } from './lifted-data.ts';
export {
  chatBounds,
  environmentBounds,
  generateBounds,
  interactionBounds,
  limits,
  liveBounds,
  triggerBounds,
} from './limits.ts';
export { LiveAccess } from './live-access.ts';
export { LiveConfig } from './live-config.ts';
export { liveKinds, parseLiveMessage, type LiveClientMessage, type LiveKind } from './live-message.ts';
export { LiveRequestBody, parseLiveRequest, type LiveRequest } from './live-request.ts';
export { isMediaOf } from './media-data.ts';
export { isRecord, type JsonRecord } from './json-record.ts';
export { parseEnabledPatch } from './enabled-patch.ts';
export { Trigger, TriggerList, TriggerRun, TriggerRunList } from './trigger-record.ts';
export { defaultTimeZone, parseTriggerRequest, TriggerRequestBody, type TriggerRequest } from './trigger-request.ts';
export { CreatedWebhook, Webhook, WebhookDelivery, WebhookDeliveryList, WebhookList } from './webhook-record.ts';
export {
  eventTypes,
  parseWebhookRequest,
  WebhookRequestBody,
  type EventType,
  type WebhookRequest,
} from './webhook-request.ts';
export { imageTypes, mediaTypeByExtension, mediaTypes, type MediaType } from './media-type.ts';
export { modelFamilies, routeFamilies, type ModelFamily, type RouteFamily } from './model-family.ts';
export { Model, ModelList, knownCapabilities } from './model.ts';
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
export { RequestRecord } from './request-record.ts';
export {
  isCancellable,
  isResourceKind,
  resourceKinds,
  resourceStandings,
  resourceState,
  resourceStates,
  statesByKind,
  type ResourceKind,
  type ResourceStanding,
  type ResourceState,
} from './resource-state.ts';
export type { ResponseFormat } from './response-format.ts';
export { basePath, routes, type RouteId } from './route-table.ts';
export type { Route, RouteAnswer } from './route.ts';
export { documentSchemas, storeSchemas } from './store-record.ts';
export {
  DocumentRequestBody,
  parseDocumentRequest,
  parseStoreRequest,
  StoreRequestBody,
  type DocumentRequest,
  type StoreRequest,
} from './store-request.ts';
export { parseVideoRequest, VideoRequestBody, type VideoRequest } from './video-request.ts';
