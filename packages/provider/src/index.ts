export type { BatchCall, BatchCallItem, BatchResult, BatchResultItem } from './batch.ts';
export type { CacheCall, CreatedCache, ProviderCaches } from './cache.ts';
export type { CacheMark } from './cache-mark.ts';
export { moveCitation, urlCitation, type CitedPage } from './citation.ts';
export type {
  BlobPart,
  CodeExecutionResultPart,
  Content,
  ExecutableCodePart,
  FunctionCallPart,
  FunctionResponsePart,
  ImageDetail,
  MediaPart,
  ModelPart,
  Part,
  TextPart,
} from './content.ts';
export { contextBytesMax } from './context-bytes-max.ts';
export type { EmbeddingCall, EmbeddingInput, Embeddings, EmbeddingTask } from './embedding.ts';
export {
  generationParts,
  type AudioFormat,
  type FinishReason,
  type Generation,
  type GenerationCall,
  type GenerationEnd,
  type GenerationTool,
  type Modality,
  type ResponseFormat,
  type SafetySetting,
  type Sampling,
  type Speech,
  type Thinking,
  type ToolChoice,
  type Transcription,
  type WebSearchTool,
} from './generation.ts';
export { unplacedImageField, type ImageFormat, type ImageSettings } from './image-settings.ts';
export { appendText, createGrowingText, wholeText, type GrowingText } from './growing-text.ts';
export {
  toolNames,
  type AgentConfig,
  type CitedText,
  type Interacted,
  type InteractionCall,
  type InteractionFormat,
  type InteractionTool,
  type Step,
  type StepContent,
  type ToolName,
  type TranscriptionConfig,
  type VideoTask,
} from './interaction.ts';
export type { JsonObject } from './json-object.ts';
export type { JobProgress, ProviderJobs } from './job.ts';
export {
  createLiveEvents,
  type LiveCall,
  type LiveEvent,
  type LiveEvents,
  type LiveMessage,
  type LiveUpstream,
  type ProviderLive,
} from './live.ts';
export type { JudgedCategory, Judgement, ModeratedPart, ModerationCall, Moderations } from './moderation.ts';
export { callFields, fieldOfPath, type CallField } from './call-field.ts';
export { isPricedTier, pricedTiers, readServedTier, type PricedTier, type ServiceTier } from './service-tier.ts';
export { isNotExecuted, NotExecuted, type NotExecutedOptions } from './not-executed.ts';
export type { NotExecutedReason } from './not-executed-reason.ts';
export { isRefusalDetail, readRefusalDetail, refusalDetails, type RefusalDetail } from './refusal-detail.ts';
export { parseClientJson } from './parse-client-json.ts';
export type { ProjectFile, UpstreamFileState } from './project-file.ts';
export type { Attempt, CallContext, Caller } from './call-context.ts';
export type { CallPiece, OnCallPiece, OnParts, Provider, ProviderFiles } from './provider.ts';
export { readTextsFirst, type FramedSocket } from './sockets/read-texts-first.ts';
export type { TextFrameRules } from './sockets/text-frames.ts';
export { readRetryAfterMs, readRetryDelayMs } from './retry-after.ts';
export { splitTotal, type UsageShare } from './split-total.ts';
export type { ImportCall, ImportedDocument, ProviderStores } from './store.ts';
export { UnknownOutcome, withUsageAtLeast, type UnknownOutcomeDetail } from './unknown-outcome.ts';
export { asArray, asCount, asObject, asText, parseJson, type UntrustedObject } from './untrusted-value.ts';
export {
  answerIdOf,
  asUpstreamId,
  readUpstreamIds,
  upstreamIdCharactersMax,
  upstreamIdHeaders,
  type UpstreamIds,
} from './upstream-id.ts';
export { isCertainStatus, isLastingRefusal, reasonOfStatus } from './upstream-status.ts';
export { readUsageAtLeast } from './usage-at-least.ts';
export { isUsageUnit, unitFacts, type UnitFacts } from './unit-facts.ts';
export { usageUnits, type Usage, type UsageUnit } from './usage.ts';
export type { GeneratedMedia, GeneratedVideos, VideoCall } from './video.ts';
export { providerCheck } from './provider-check.ts';
