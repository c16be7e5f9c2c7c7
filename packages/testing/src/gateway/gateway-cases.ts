import { administrationCases } from './administration-cases.ts';
import { agentsCases } from './agents-cases.ts';
import { amountsCases } from './amounts-cases.ts';
import { authCases } from './auth-cases.ts';
import { balanceEventCases } from './balance-event-cases.ts';
import { batchesBodyCases } from './batches-body-cases.ts';
import { batchesLifeCases } from './batches-life-cases.ts';
import { cacheUseCases } from './cache-use-cases.ts';
import { cachesBodyCases } from './caches-body-cases.ts';
import { cachesLifeCases } from './caches-life-cases.ts';
import { callerCases } from './caller-cases.ts';
import { catalogCases } from './catalog-cases.ts';
import { chatAnswerCases } from './chat-answer-cases.ts';
import { chatMediaCases } from './chat-media-cases.ts';
import { chatRequestCases } from './chat-request-cases.ts';
import { chatToolCases } from './chat-tool-cases.ts';
import { embeddingsAnswerCases } from './embeddings-answer-cases.ts';
import { embeddingsInputCases } from './embeddings-input-cases.ts';
import { environmentsCases } from './environments-cases.ts';
import { environmentUseCases } from './environment-use-cases.ts';
import { environmentFilesCases } from './environment-files-cases.ts';
import { errorsCases } from './errors-cases.ts';
import { filesCases } from './files-cases.ts';
import { fileContentCases } from './file-content-cases.ts';
import { filesCompatCases } from './files-compat-cases.ts';
import { fileUseCases } from './file-use-cases.ts';
import type { GatewayCase } from './gateway-case.ts';
import { generateAnswerCases } from './generate-answer-cases.ts';
import { generateGoogleCases } from './generate-google-cases.ts';
import { generateMediaCases } from './generate-media-cases.ts';
import { generateRequestCases } from './generate-request-cases.ts';
import { generateStreamCases } from './generate-stream-cases.ts';
import { generateToolCases } from './generate-tool-cases.ts';
import { googleCases } from './google-cases.ts';
import { accountCases } from './account-cases.ts';
import { keyTermsCases } from './key-terms-cases.ts';
import { hostileCases } from './hostile-cases.ts';
import { longStateCases } from './long-state-cases.ts';
import { hostCallerCases } from './host-caller-cases.ts';
import { hostCallerTermsCases } from './host-caller-terms-cases.ts';
import { hostEventCases } from './host-event-cases.ts';
import { hostToolCases } from './host-tool-cases.ts';
import { idempotencyCases } from './idempotency-cases.ts';
import { interactionsLifeCases } from './interactions-life-cases.ts';
import { interactionsRequestCases } from './interactions-request-cases.ts';
import { interactionsToolCases } from './interactions-tool-cases.ts';
import { ledgerCases } from './ledger-cases.ts';
import { limitReleaseCases } from './limit-release-cases.ts';
import { limitsCases } from './limits-cases.ts';
import { recordLimitsCases } from './record-limits-cases.ts';
import { usageLimiterCases } from './usage-limiter-cases.ts';
import { liveBurstCases } from './live-burst-cases.ts';
import { liveCreateCases } from './live-create-cases.ts';
import { liveLedgerCases } from './live-ledger-cases.ts';
import { liveSocketCases } from './live-socket-cases.ts';
import { holdsCases } from './holds-cases.ts';
import { priceCases } from './price-cases.ts';
import { roundingCases } from './rounding-cases.ts';
import { meteringCases } from './metering-cases.ts';
import { modelsCases } from './models-cases.ts';
import { overrunCases } from './overrun-cases.ts';
import { reconciliationCases } from './reconciliation-cases.ts';
import { requestHookCases } from './request-hook-cases.ts';
import { requestsCases } from './requests-cases.ts';
import { documentsCases } from './documents-cases.ts';
import { searchCases } from './search-cases.ts';
import { searchWiresCases } from './search-wires-cases.ts';
import { selectModelCases } from './select-model-cases.ts';
import { secretsCases } from './secrets-cases.ts';
import { storesCases } from './stores-cases.ts';
import { chatInTimeCases } from './chat-in-time-cases.ts';
import { pathFamilyCases } from './path-family-cases.ts';
import { sentSoFarCases } from './sent-so-far-cases.ts';
import { streamFaultCases } from './stream-fault-cases.ts';
import { silentStreamCases } from './silent-stream-cases.ts';
import { callPiecesCases } from './call-pieces-cases.ts';
import { dialectCases } from './dialect-cases.ts';
import { ollamaCases } from './ollama-cases.ts';
import { imageEditsCases } from './image-edits-cases.ts';
import { customInputCases } from './custom-input-cases.ts';
import { imageAnswersCases } from './image-answers-cases.ts';
import { imagesCases } from './images-cases.ts';
import { moderationsCases } from './moderations-cases.ts';
import { audioCases } from './audio-cases.ts';
import { streamCases } from './stream-cases.ts';
import { vectorStoresCases } from './vector-stores-cases.ts';
import { versioningCases } from './versioning-cases.ts';
import { videosBodyCases } from './videos-body-cases.ts';
import { wireVideosCases } from './wire-videos-cases.ts';
import { videosContentCases } from './videos-content-cases.ts';
import { videosLifeCases } from './videos-life-cases.ts';
import { eventRulesCases } from './event-rules-cases.ts';
import { everyRouteCases } from './every-route-cases.ts';
import { projectCases } from './project-cases.ts';
import { quotasCases } from './quotas-cases.ts';
import { refusedFieldCases } from './refused-field-cases.ts';
import { underWayCases } from './under-way-cases.ts';
import { revocationCases } from './revocation-cases.ts';
import { revocationUnbegunCases } from './revocation-unbegun-cases.ts';
import { resourceCancelCases } from './resource-cancel-cases.ts';
import { resourceDeleteCases } from './resource-delete-cases.ts';
import { resourceListCases } from './resource-list-cases.ts';
import { resourceRecordCases } from './resource-record-cases.ts';
import { resourceTraceCases } from './resource-trace-cases.ts';
import { triggersCases } from './triggers-cases.ts';
import { serviceTierCases } from './service-tier-cases.ts';
import { serviceTierWiresCases } from './service-tier-wires-cases.ts';
import { tokenCases } from './token-cases.ts';
import { triggerRunsCases } from './trigger-runs-cases.ts';
import { fileBatchesCases } from './file-batches-cases.ts';
import { messageBatchesCases } from './message-batches-cases.ts';
import { webhookEventsCases } from './webhook-events-cases.ts';
import { webhooksCases } from './webhooks-cases.ts';

/** Everything that a gateway must do, by area of the contract. */
export const gatewayCases: readonly GatewayCase[] = [
  ...modelsCases,
  ...authCases,
  ...keyTermsCases,
  ...accountCases,
  ...selectModelCases,
  ...chatRequestCases,
  ...chatMediaCases,
  ...chatToolCases,
  ...searchCases,
  ...searchWiresCases,
  ...chatAnswerCases,
  ...streamCases,
  ...chatInTimeCases,
  ...dialectCases,
  ...ollamaCases,
  ...callPiecesCases,
  ...sentSoFarCases,
  ...streamFaultCases,
  ...silentStreamCases,
  ...imagesCases,
  ...imageAnswersCases,
  ...customInputCases,
  ...imageEditsCases,
  ...audioCases,
  ...moderationsCases,
  ...pathFamilyCases,
  ...generateRequestCases,
  ...generateMediaCases,
  ...generateToolCases,
  ...generateAnswerCases,
  ...generateStreamCases,
  ...generateGoogleCases,
  ...embeddingsInputCases,
  ...embeddingsAnswerCases,
  ...googleCases,
  ...filesCases,
  ...fileUseCases,
  ...fileContentCases,
  ...filesCompatCases,
  ...environmentsCases,
  ...environmentFilesCases,
  ...environmentUseCases,
  ...interactionsRequestCases,
  ...interactionsToolCases,
  ...hostToolCases,
  ...longStateCases,
  ...interactionsLifeCases,
  ...agentsCases,
  ...requestsCases,
  ...ledgerCases,
  ...administrationCases,
  ...amountsCases,
  ...overrunCases,
  ...reconciliationCases,
  ...meteringCases,
  ...holdsCases,
  ...priceCases,
  ...roundingCases,
  ...hostileCases,
  ...idempotencyCases,
  ...errorsCases,
  ...limitsCases,
  ...usageLimiterCases,
  ...recordLimitsCases,
  ...limitReleaseCases,
  ...catalogCases,
  ...cachesBodyCases,
  ...cachesLifeCases,
  ...cacheUseCases,
  ...batchesBodyCases,
  ...batchesLifeCases,
  ...fileBatchesCases,
  ...messageBatchesCases,
  ...storesCases,
  ...documentsCases,
  ...vectorStoresCases,
  ...videosBodyCases,
  ...videosLifeCases,
  ...videosContentCases,
  ...wireVideosCases,
  ...webhooksCases,
  ...webhookEventsCases,
  ...secretsCases,
  ...triggersCases,
  ...triggerRunsCases,
  ...eventRulesCases,
  ...versioningCases,
  ...liveCreateCases,
  ...liveSocketCases,
  ...liveLedgerCases,
  ...liveBurstCases,
  ...resourceRecordCases,
  ...resourceListCases,
  ...resourceDeleteCases,
  ...resourceCancelCases,
  ...resourceTraceCases,
  ...projectCases,
  ...quotasCases,
  ...underWayCases,
  ...refusedFieldCases,
  ...revocationCases,
  ...revocationUnbegunCases,
  ...everyRouteCases,
  ...callerCases,
  ...hostCallerCases,
  ...hostCallerTermsCases,
  ...requestHookCases,
  ...serviceTierCases,
  ...serviceTierWiresCases,
  ...tokenCases,
  ...hostEventCases,
  ...balanceEventCases,
];
