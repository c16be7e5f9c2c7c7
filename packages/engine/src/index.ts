export type { LargeAnswer } from './answers.ts';
export type { Access, AuthenticateAnswer } from './access-directory.ts';
export { holdsApiKey } from './api-key.ts';
export { createAdministration, type Administration } from './administration.ts';
export type { AccountInput } from './administration/accounts.ts';
export type { CompensationInput, DepositInput } from './administration/deposits.ts';
export type { CreatedKey, KeyInfo, KeyInput } from './administration/keys.ts';
export type { ProjectInput } from './administration/projects.ts';
export type { ResolveAnswer, Verdict } from './administration/resolve.ts';
export type { OperationQuery } from './administration/statements.ts';
export { publishTariff } from './administration/tariffs.ts';
export type { AuditReport, Violation } from './audit.ts';
export type { AccessIds } from './decisions/access.ts';
export {
  environmentFiles,
  dropEnvironmentFiles,
  listEnvironmentFiles,
  storeEnvironmentFiles,
  type EnvironmentBytes,
  type EnvironmentChange,
  type EnvironmentChanges,
  type EnvironmentFiles,
} from './environments/environment-files.ts';
export {
  environmentNetworks,
  networkVerdict,
  sealNetwork,
  type EnvironmentNetworks,
  type EnvironmentWork,
  type NetworkVerdict,
} from './environments/environment-network.ts';
export { useOfEnvironment } from './environments/use-environment.ts';
export { createEngine, defaultEngineLimits, type Engine, type EngineLimits, type EngineOptions } from './engine.ts';
export { estimateEmbedding } from './estimate-embedding.ts';
export { countInput } from './count-input.ts';
export { estimateGeneration, estimateInput, estimateOutput } from './estimate.ts';
export { createFile, type FileDraft } from './files/create-file.ts';
export { deleteFile, type DeleteFileOutcome } from './files/delete-file.ts';
export { mediaBlobKey } from './files/file-blob-key.ts';
export { findFile, listFiles } from './files/find-file.ts';
export { toProjectFile } from './files/project-file.ts';
export { refreshFile } from './files/refresh-file.ts';
export { findRequest, type FoundRequest } from './find-request.ts';
export { createJobs, releaseUnconfirmed, renewLeases, type Jobs } from './jobs.ts';
export { batchKind } from './kinds/batch/batch-kind.ts';
export {
  batchInputKeptMs,
  type BatchAnswers,
  type BatchKindOptions,
  type BatchMaker,
} from './kinds/batch/batch-options.ts';
export {
  inputBlobKeys,
  storeBatchInput,
  type BatchInput,
  type BatchWork,
  type StoredItem,
} from './kinds/batch/batch-work.ts';
export { cacheInputMarginMs, cacheKind, type CacheKindOptions, type CacheMaker } from './kinds/cache/cache-kind.ts';
export { storeCacheInput } from './kinds/cache/cache-input.ts';
export { cacheBlobKeys, type CacheInput, type CacheWork } from './kinds/cache/cache-work.ts';
export { endCache } from './kinds/cache/end-cache.ts';
export { retimeCache, type RetimeOutcome, type Retiming } from './kinds/cache/retime-cache.ts';
export { estimateCache, withCache, type CachedCall } from './kinds/cache/use-cache.ts';
export { toStoredContents, toStoredEmbedding, toStoredGeneration } from './kinds/stored-call.ts';
export { environmentKind } from './kinds/environment/environment-kind.ts';
export type { KeptMedium } from './kinds/keep-media.ts';
export { blobKeysOf, type StoredMedia } from './kinds/stored-media.ts';
export { documentKind, type DocumentKindOptions } from './kinds/document/document-kind.ts';
export { defaultDocumentLimits, type DocumentLimits } from './kinds/document/document-limits.ts';
export type { DocumentOrder, DocumentWork } from './kinds/document/document-work.ts';
export type { Embedder } from './kinds/document/embed-chunks.ts';
export { estimateDocument } from './kinds/document/estimate-document.ts';
export type { DocumentPage, PdfReader, ReadDocument } from './kinds/document/read-document.ts';
export { findStoreNote } from './kinds/store/note-store.ts';
export { storeKind, type StoreKindOptions } from './kinds/store/store-kind.ts';
export { storeWork, type StoreWork } from './kinds/store/store-work.ts';
export { interactionKind } from './kinds/interaction/interaction-kind.ts';
export { defaultInteractionLimits, type InteractionLimits } from './kinds/interaction/interaction-limits.ts';
export { servesInteractions, type InteractionModel } from './kinds/interaction/interaction-model.ts';
export { openTool, sealTool, type InteractionKindOptions } from './kinds/interaction/interaction-turn.ts';
export {
  interactionWork,
  type EndedInteraction,
  type InteractionSettings,
} from './kinds/interaction/interaction-work.ts';
export {
  prepareInteraction,
  type InteractionAsk,
  type InteractionPreparing,
  type PreparedInteraction,
} from './kinds/interaction/prepare-interaction.ts';
export { createTextSeal, type TextSeal } from './kinds/interaction/seal-text.ts';
export type { StoredContent, StoredStep, StoredTool } from './kinds/interaction/stored-step.ts';
export { keptMedia } from './kinds/video/kept-media.ts';
export { videoKind, videoOrderKeptMs, type VideoKindOptions, type VideoMaker } from './kinds/video/video-kind.ts';
export { orderMedia, type VideoOrder } from './kinds/video/video-work.ts';
export {
  createLiveSession,
  type CreateLiveOutcome,
  type LivePlan,
  type LiveTicket,
} from './live/create-live-session.ts';
export { estimateLive } from './live/estimate-live.ts';
export { liveMoney, type LiveEnd, type LiveMoney, type LiveNote, type LiveUse } from './live/live-money.ts';
export { takeLiveAccess, type LiveCredential } from './live/take-live-access.ts';
export type { TakeAccessAnswer } from './decisions/live-access.ts';
export { silentLogger, type Logger } from './logger.ts';
export { creditsFromMicros, microsFromCredits, microsMax } from './micros.ts';
export type { ExecutionContext, OperationOutcome, OperationPlan, PlannedAnswer } from './operation-plan.ts';
export { isStorageBusy } from './persist.ts';
export { dropPendingBlob, readBlob, storePendingBlob, storeSharedBlob } from './pending-blobs.ts';
export { parkRunning } from './park.ts';
export { cancelResource } from './resources/cancel-resource.ts';
export { createResource, type CreateResourceOutcome } from './resources/create-resource.ts';
export { deleteResource, isInUse, type DeleteResourceOutcome } from './resources/delete-resource.ts';
export { findResource, listResources, type FoundResource } from './resources/find-resource.ts';
export type { ResourcePlan } from './resources/resource-plan.ts';
export type { ResourceClosing } from './decisions/close-resource.ts';
export type { ResourceDraft, ResourceUse } from './decisions/resource-draft.ts';
export { LostWork, type Work, type WorkContext, type WorkKind, type WorkOutcome } from './work/work-kind.ts';
export {
  createWebhook,
  deleteWebhook,
  findWebhook,
  listDeliveries,
  listWebhooks,
  setWebhookEnabled,
  type WebhookInput,
} from './webhooks/webhooks.ts';
export type { AddressVerdict, SendOutcome, WebhookSender } from './webhooks/webhook-sender.ts';
export type { OpenedOccurrence, OpenOccurrence } from './triggers/run-triggers.ts';
export {
  createTrigger,
  deleteTrigger,
  findTrigger,
  listOccurrences,
  listTriggers,
  scheduleFault,
  setTriggerEnabled,
  type TriggerName,
} from './triggers/triggers.ts';
export { readInteraction, storeInteraction } from './triggers/store-interaction.ts';
export { interactionOf, triggerBlobKey, type TriggerInteraction } from './decisions/trigger-interaction.ts';
export { runOperation } from './run-operation.ts';
export { sharedSetting } from './settings.ts';
export type { SweepReport } from './sweep.ts';
export { sweep } from './sweep.ts';
export {
  findModelTariff,
  holdOf,
  parseTariff,
  priceOf,
  type BatchTariffInput,
  type ModelTariff,
  type ModelTariffInput,
  type Quantities,
  type Tariff,
  type TariffInput,
} from './tariff.ts';
export { findToolContexts } from './tool-contexts.ts';
export { fileSearch, type FileSearchOptions } from './tools/file-search.ts';
export type {
  ToolBound,
  ToolContext,
  ToolFunction,
  ToolOutcome,
  ToolRun,
  ToolRunner,
  ToolRunners,
  ToolSetting,
} from './tools/tool-runner.ts';
