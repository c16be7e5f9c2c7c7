export { createFairQueue, type FairQueueLimits } from './fair-queue.ts';
export { createBatchAnswers } from './dialects/batches/batch-answers.ts';
export { BodyStopped } from './body-stopped.ts';
export type { ByteBody } from './byte-body.ts';
export { compatibilityCheck } from './compatibility-check.ts';
export { createBodyTurns, type BodyTurn, type BodyTurns, type BodyTurnsOptions } from './body-turns.ts';
export { createContextSeal, type ContextSeal, type ToolContexts } from './chat/context-seal.ts';
export { createImageBudget } from './chat/image-budget.ts';
export type { FetchBounds, FetchedImage, ImageFetcher, ImageSource } from './chat/remote-images.ts';
export { corsCheck, isCorsOrigin, withCors, type CorsOptions } from './cors.ts';
export { createHandler } from './create-handler.ts';
export { createModels, type ModelsOptions } from './create-models.ts';
export type { EventFeed, FeedSink, FeedTap } from './event-feed.ts';
export type { GatewayHandler, BodyRead, GatewayRequest, GatewayResponse } from './gateway-request.ts';
export { liveKindOf } from './live/create-live.ts';
export { dialectsCheck } from './dialects/generation-dialects.ts';
export type {
  AnswerHead,
  AskedGeneration,
  CallParts,
  ExpandedBody,
  FoundAnswer,
  GenerationDialect,
  ReadingPolicy,
  SettledAnswer,
  StreamWriter,
} from './dialects/generation/generation-dialect.ts';
export type { AnswerPart, KeptAnswer } from './dialects/generation/kept-answer.ts';
export { openLiveSessionOf } from './dialects/google/live/open-live-session.ts';
export type { CallStep } from './call-order.ts';
export { createPendingUploads } from './dialects/google/files/pending-uploads.ts';
export { letsIn, type OriginRule } from './origin-decision.ts';
export { contentPath } from './resources/encode-resource.ts';
export type { AuthenticateCaller, CallerHook, CallerQuestion, KnownCaller } from './callers/authenticate-caller.ts';
export type { RateLimiter, RateQuestion } from './rate-limiter.ts';
export {
  refusalCodes,
  type HookFailurePolicy,
  type OnRequest,
  type RefusalCode,
  type RequestDecision,
  type RequestHook,
  type RequestQuestion,
} from './hooks/on-request.ts';
export type { IndexingChoice, Compatibility, ModelQuestion, Models, SelectModel, Service } from './service.ts';
export { toFetch } from './to-fetch.ts';
export { startScheduledRunOf } from './triggers/start-scheduled-run.ts';
export { watchedHandler, type WatchOptions } from './watched-handler.ts';
export type { StructureJudge, StructureVerdict } from './chat/check-structure.ts';
