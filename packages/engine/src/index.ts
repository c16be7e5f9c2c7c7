export type { LargeAnswer } from './operations/answers.ts';
export type { Access, AuthenticateAnswer } from './access/access-directory.ts';
export { readOwnBalance, readOwnLimits, type OwnLimits } from './access/own-account.ts';
export { holdsApiKey, isKeyPrefix, withoutApiKeys } from './access/api-key.ts';
export { createAdministration, tokenBounds, type Administration } from './administration/administration.ts';
export type { AccountChange, AccountInput, ClosedAccount } from './administration/accounts.ts';
export type { AnomalyQuery } from './administration/anomalies.ts';
export type { DeliveryQuery } from './administration/deliveries.ts';
export { metadataBounds } from './administration/metadata-check.ts';
export type { IdentityName, LifeEvent, OperationLife } from './administration/operation-life.ts';
export type { ScheduleInfo, ScheduleQuery } from './administration/schedules.ts';
export type { Page, PageQuery, SearchQuery, TimeRange } from './administration/search.ts';
export type { DepositAnswer } from './decisions/deposit.ts';
export type { CompensationInput, DepositInput } from './administration/deposits.ts';
export type { CreatedKey, KeyInfo, KeyQuery, ReferredKey } from './administration/keys.ts';
export { keyBounds, type KeyChange, type KeyInput, type KeyTerms } from './administration/key-checks.ts';
export type { ProjectChange, ProjectInput, ProjectQuery } from './administration/projects.ts';
export type { StoredText } from './administration/read-stored-answer.ts';
export type { OperationPart } from './administration/operation-parts.ts';
export { createPayments, type Payments } from './payments/payments.ts';
export type { LinkInput } from './payments/links.ts';
export type { OrderPaymentAnswer, OrderPaymentCommand } from './decisions/pay-order.ts';
export type { OrderAnswer, OrderCommand } from './decisions/payment-order.ts';
export type { PaymentAnswer, PaymentCommand } from './decisions/payment.ts';
export type { BeginTopUpAnswer, TopUpCommand, TopUpRefusal, TopUpRefusalAnswer } from './decisions/top-up.ts';
export type { BillRow, BillRows } from './administration/gather-bill.ts';
export type { BillDifference, ProposedVerdict, ReconcileInput, ReconcileReport } from './administration/reconcile.ts';
export type { ResolveAnswer, VerdictPreview } from './administration/resolve.ts';
export type { OperationQuery, OperationSearch } from './administration/operation-lists.ts';
export type { StatementRange } from './administration/statement-csv.ts';
export type { StatementQuery } from './administration/statements.ts';
export { usageQueryCheck, usageRangeCheck, type UsageQuery, type UsageRange } from './administration/usage-query.ts';
export { usage, type PricedPlace, type PricedUsageRow, type UsagePage, type UsageRow } from './administration/usage.ts';
export { csvLine, textCell } from './administration/csv.ts';
export { publishTariffs } from './administration/tariffs.ts';
export type { AuditReport } from './ledger/audit.ts';
export type { Violation } from './ledger/violation.ts';
export type { CallerLimits } from './ports/caller-limits.ts';
export type { AskedLimiter, LimitedAmount, LimitedCaller, LimiterFailurePolicy } from './ports/usage-limiter.ts';
export type { LevelLimits, LimitLevel, LimitQuestion, LimitReport } from './ports/usage-limiter.ts';
export type { LimitTicket, LimitVerdict, UsageLimiter } from './ports/usage-limiter.ts';
export type { AccessIds } from './decisions/access.ts';
export type { NoProposal, Proposal } from './decisions/propose-verdict.ts';
export type { Verdict, VerdictNote, VerdictPart } from './decisions/verdict.ts';
export {
  environmentFiles,
  dropEnvironmentFiles,
  listEnvironmentFiles,
  storeEnvironmentFiles,
  type EnvironmentBytes,
  type EnvironmentChange,
  type EnvironmentChanges,
  type EnvironmentFiles,
} from './resources/environment/environment-files.ts';
export {
  environmentNetworks,
  networkVerdict,
  sealNetwork,
  type EnvironmentNetworks,
  type EnvironmentWork,
  type NetworkVerdict,
} from './resources/environment/environment-network.ts';
export { useOfEnvironment } from './resources/environment/use-environment.ts';
export { createHostEventCalls, type HostEventCalls, type HostEventOptions } from './host-events/host-event-calls.ts';
export { quotasCheck } from './ledger/quotas-check.ts';
export { findQuotaRefusal } from './operations/find-quota-refusal.ts';
export {
  defaultQuotas,
  describeQuota,
  type QuotaName,
  type Quotas,
  type Usage as QuotaUsage,
} from './decisions/quotas.ts';
export type { ProjectQuotas } from './administration/quotas.ts';
export { createEngine } from './create-engine.ts';
export type { Clock, Engine, EngineOptions } from './engine.ts';
export { defaultEngineLimits, engineLimitsCheck, type EngineLimits } from './engine-limits.ts';
export { estimateEmbedding } from './ledger/estimate-embedding.ts';
export { unitBoundFaults } from './ledger/unit-bound-faults.ts';
export { callerOf } from './operations/caller-of.ts';
export { findKnownModel, operationIdOf } from './operations/open-operation.ts';
export { countInput } from './operations/count-input.ts';
export { meterGeneration } from './ledger/meter-images.ts';
export { estimateBeside, estimateGeneration, estimateInput, estimateOutput } from './ledger/estimate.ts';
export { contentTokensMin } from './ledger/own-input.ts';
export { holdOf, judgeHold, priceEstimate, type Estimate, type Estimated, type Hold } from './ledger/hold.ts';
export { createFile, type FileDraft } from './files/create-file.ts';
export { deleteFile, type DeleteFileOutcome } from './files/delete-file.ts';
export { mediaBlobKey } from './files/file-blob-key.ts';
export { findFile, listFiles } from './files/find-file.ts';
export { toProjectFile } from './files/project-file.ts';
export { refreshFile } from './files/refresh-file.ts';
export { lacksMeans, type Intent } from './operations/means.ts';
export { hasUndelivered } from './operations/undelivered.ts';
export { forgetAnswer } from './operations/forget-answer.ts';
export { findRequest, type FoundRequest } from './operations/find-request.ts';
export { keptAttempt } from './operations/kept-attempt.ts';
export { createJobs, releaseUnconfirmed, renewLeases, type Jobs, type JobsStatus } from './jobs/jobs.ts';
export { createHealth, type Health, type HealthOptions } from './jobs/health.ts';
export { createStoredGauges } from './jobs/stored-gauges.ts';
export {
  traceCharsMax,
  type GatewayGauges,
  type GatewayView,
  type HoldsOfAge,
  type Observe,
  type ObservedCaller,
  type ObservedEvent,
  type ObservedOperation,
  type ObservedSweep,
  type Observer,
  type OperationEnd,
  type StoredGauges,
} from './ports/observer.ts';
export { batchKind } from './resources/batch/batch-kind.ts';
export {
  batchInputKeptMs,
  batchWindowMs,
  type AnsweredItem,
  type BatchAnswers,
  type BatchKindOptions,
  type ItemForm,
} from './resources/batch/batch-options.ts';
export {
  inputBlobKeys,
  openBatch,
  storeBatchInput,
  type BatchInput,
  type BatchNames,
  type StoredItem,
} from './resources/batch/batch-work.ts';
export { cacheInputMarginMs, cacheKind, type CacheKindOptions } from './resources/cache/cache-kind.ts';
export { storeCacheInput, type CachedInput } from './resources/cache/cache-input.ts';
export { cacheBlobKeys, openCache, type CacheInput } from './resources/cache/cache-work.ts';
export { endCache } from './resources/cache/end-cache.ts';
export { changeCacheTtl, type ChangeTtlOutcome, type TtlChange } from './resources/cache/change-cache-ttl.ts';
export { readCacheEstimate, withCache, type CachedCall, type CacheEstimate } from './resources/cache/use-cache.ts';
export { toStoredEmbedding, toStoredGeneration } from './resources/stored-call.ts';
export { environmentKind } from './resources/environment/environment-kind.ts';
export type { KeptMedium } from './resources/keep-media.ts';
export { blobKeysOf, type StoredMedia } from './resources/stored-media.ts';
export { documentKind, type DocumentKindOptions } from './resources/document/document-kind.ts';
export {
  defaultDocumentLimits,
  documentLimitsCheck,
  type DocumentLimits,
} from './resources/document/document-limits.ts';
export { openDocument, type DocumentOrder } from './resources/document/document-work.ts';
export { waitAtMost } from './files/wait-at-most.ts';
export { askInTime, isAskedWait, retryAfterMsDefault, type HostFailure } from './workers/ask-in-time.ts';
export type { ModelRoute } from './resources/model-route.ts';
export { estimateDocument } from './resources/document/estimate-document.ts';
export type { DocumentPage, PdfReader, ReadDocument } from './resources/document/read-document.ts';
export { findStoreReference } from './resources/store/store-reference.ts';
export { storeKind, type StoreKindOptions } from './resources/store/store-kind.ts';
export { openStore, storeWork, type StoreWork } from './resources/store/store-work.ts';
export { interactionKind } from './resources/interaction/interaction-kind.ts';
export {
  defaultInteractionLimits,
  interactionLimitsCheck,
  type InteractionLimits,
} from './resources/interaction/interaction-limits.ts';
export {
  isRunByProvider,
  servesInteractions,
  type InteractionModel,
} from './resources/interaction/interaction-model.ts';
export { openTool, sealTool, type InteractionKindOptions } from './resources/interaction/interaction-turn.ts';
export { interactionNote, viewInteraction, type InteractionView } from './resources/interaction/interaction-view.ts';
export { toWireSteps } from './resources/interaction/wire-steps.ts';
export {
  interactionWork,
  openInteraction,
  type EndedInteraction,
  type InteractionSettings,
  type RoundWish,
} from './resources/interaction/interaction-work.ts';
export {
  prepareInteraction,
  type InteractionAsk,
  type InteractionPreparing,
  type PreparedInteraction,
} from './resources/interaction/prepare-interaction.ts';
export { createTextSeal, type TextSeal } from './access/seal-text.ts';
export type { GivenMedium, StoredContent, StoredStep, StoredTool } from './resources/interaction/stored-step.ts';
export { keptMedia } from './resources/video/kept-media.ts';
export { videoKind, videoOrderKeptMs, type VideoKindOptions } from './resources/video/video-kind.ts';
export { openVideo, orderMedia, type VideoOrder } from './resources/video/video-work.ts';
export {
  createLiveSession,
  type CreateLiveOutcome,
  type LivePlan,
  type LiveTicket,
} from './live/create-live-session.ts';
export { estimateLive } from './live/estimate-live.ts';
export { liveSetupOf, type LiveSetup } from './live/live-setup.ts';
export {
  liveLedger,
  type LiveCovered,
  type LiveEnd,
  type LiveLedger,
  type LiveUseOutcome,
  type LiveUse,
} from './live/live-ledger.ts';
export { addSent, liveSentOf, nothingSent, sentAfter, audioSentOf, type LiveSent } from './live/live-sent.ts';
export type { HeldPlace } from './limits/reserve-within.ts';
export { reserveSession } from './limits/reserve-session.ts';
export { takeLiveAccess, type LiveCredential } from './live/take-live-access.ts';
export { admitsOrigin, type TakeAccessAnswer } from './decisions/live-access.ts';
export { silentLogger, type Logger } from './ports/logger.ts';
export { creditsFromMicros, decimalFromMicros, microsFromCredits, microsMax } from './ledger/micros.ts';
export type {
  ClientRetry,
  ExecutionContext,
  OperationOutcome,
  OperationPlan,
  PlannedAnswer,
} from './operations/operation-plan.ts';
export { isStorageBusy } from './operations/persist.ts';
export { discardBlob, readBlob, storePendingBlob, storeSharedBlob } from './operations/pending-blobs.ts';
export { markRunningUncertain } from './workers/running.ts';
export { cancelResource } from './resources/cancel-resource.ts';
export { createResource, type CreateResourceOutcome } from './resources/create-resource.ts';
export { deleteResource, isInUse, type DeleteResourceOutcome } from './resources/delete-resource.ts';
export { findResource, listResources, type FoundResource } from './resources/find-resource.ts';
export type { ResourcePlan } from './resources/resource-plan.ts';
export type { ResourceClosing } from './decisions/close-resource.ts';
export { draftResource, type ResourceDraft, type ResourceUse } from './decisions/resource-draft.ts';
export { LostWork, type Work, type WorkContext, type WorkKind, type WorkOutcome } from './workers/work-kind.ts';
export {
  createWebhook,
  deleteWebhook,
  findWebhook,
  listDeliveries,
  listWebhooks,
  setWebhookEnabled,
  type WebhookInfo,
  type WebhookInput,
} from './webhooks/webhooks.ts';
export type { AddressVerdict, SendOutcome, WebhookSender } from './webhooks/webhook-sender.ts';
export type { StartedRun, StartScheduledRun } from './triggers/run-triggers.ts';
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
export { priceHoles, type PriceHole, type Priced } from './ledger/price-holes.ts';
export { runOperation } from './operations/run-operation.ts';
export { findSetting, sharedSetting } from './access/settings.ts';
export { sweep, withoutWorkers, type JobParts, type SweepReport } from './jobs/sweep.ts';
export { createDeliveries, type Deliveries, type DeliveryOptions } from './webhooks/deliveries.ts';
export { resourceKinds, type ResourceKinds } from './workers/resource-kinds.ts';
export { createWorkerPool, type WorkerPool } from './workers/worker-pool.ts';
export type {
  BatchTariffInput,
  DecimalInput,
  ModelLayerInput,
  ModelTariffInput,
  PriceLayerInput,
  PricesInput,
  ProviderPricesInput,
  Rounding,
  TariffInput,
  PriceTierInput,
} from './ledger/tariff-input.ts';
export type { ModelTariff } from './ledger/model-prices.ts';
export { pricesNow, soldTiers, type Unopened } from './ledger/operation-prices.ts';
export { priceOf, type Quantities } from './ledger/price-usage.ts';
export { findPrices, listPrices, parseTariff, type PriceQuery, type Tariff } from './ledger/tariff.ts';
export { tariffCheck } from './ledger/tariff-check.ts';
export { findToolContexts } from './operations/tool-contexts.ts';
export { runsUpstream } from './tools/runs-upstream.ts';
export type { AskedTool, HostTool } from './tools/asked-tool.ts';
export { toolRunnersCheck } from './tools/tool-runners-check.ts';
export { fileSearch, type FileSearchOptions } from './tools/file-search.ts';
export type {
  ToolBound,
  ToolContext,
  ToolFunction,
  ToolOutcome,
  ToolRun,
  RunName,
  ToolRunner,
  ToolRunners,
  ToolSetting,
  HostToolRunner,
} from './tools/tool-runner.ts';
export { whyUncertain, type UncertainReason } from './decisions/why-uncertain.ts';
export { listDocuments, type ListedDocument } from './resources/document/list-documents.ts';
export { searchDocuments, type DocumentFindings, type FoundPassage } from './search/search-documents.ts';
export { shownFieldsOf, wireOf, withWire, type ResourceWire } from './resources/resource-wire.ts';
export { storedEventTypes } from './decisions/stored-values.ts';
export { importPrices, type ImportedPrices, type PriceNote } from './ledger/import/import-prices.ts';
