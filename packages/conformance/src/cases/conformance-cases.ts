import type { ConformanceCase } from '../kit/conformance-case.ts';
import { agentsCases } from './agents-cases.ts';
import { authCases } from './auth-cases.ts';
import { batchesCases } from './batches-cases.ts';
import { cachesCases } from './caches-cases.ts';
import { chatAnswerCases } from './chat-answer-cases.ts';
import { chatMediaCases } from './chat-media-cases.ts';
import { chatRequestCases } from './chat-request-cases.ts';
import { chatOptionsCases } from './chat-options-cases.ts';
import { embeddingsCases } from './embeddings-cases.ts';
import { environmentsCases } from './environments-cases.ts';
import { errorsCases } from './errors-cases.ts';
import { limitsCases } from './limits-cases.ts';
import { filesCases } from './files-cases.ts';
import { generateCases } from './generate-cases.ts';
import { generateToolsCases } from './generate-tools-cases.ts';
import { generateStreamCases } from './generate-stream-cases.ts';
import { idempotencyCases } from './idempotency-cases.ts';
import { idempotencyRunCases } from './idempotency-run-cases.ts';
import { interactionsCases } from './interactions-cases.ts';
import { interactionsToolsCases } from './interactions-tools-cases.ts';
import { interactionsMediaCases } from './interactions-media-cases.ts';
import { isolationCases } from './isolation-cases.ts';
import { isolationResourcesCases } from './isolation-resources-cases.ts';
import { liveCases } from './live-cases.ts';
import { liveAccessCases } from './live-access-cases.ts';
import { modelsCases } from './models-cases.ts';
import { refusedKeyCases } from './refused-key-cases.ts';
import { requestsCases } from './requests-cases.ts';
import { ledgerCases } from './ledger-cases.ts';
import { resourcesCases } from './resources-cases.ts';
import { resourcesStatesCases } from './resources-states-cases.ts';
import { storesCases } from './stores-cases.ts';
import { streamCases } from './stream-cases.ts';
import { triggersCases } from './triggers-cases.ts';
import { triggersLifeCases } from './triggers-life-cases.ts';
import { upstreamCases } from './upstream-cases.ts';
import { versioningCases } from './versioning-cases.ts';
import { videosCases } from './videos-cases.ts';
import { webhookEventsCases } from './webhook-events-cases.ts';
import { webhookDeliveryCases } from './webhook-delivery-cases.ts';
import { webhooksCases } from './webhooks-cases.ts';

/** Every case, by area of the contract. */
export const conformanceCases: readonly ConformanceCase[] = [
  ...modelsCases,
  ...authCases,
  ...isolationCases,
  ...isolationResourcesCases,
  ...refusedKeyCases,
  ...chatRequestCases,
  ...chatOptionsCases,
  ...chatMediaCases,
  ...chatAnswerCases,
  ...streamCases,
  ...generateCases,
  ...generateToolsCases,
  ...generateStreamCases,
  ...embeddingsCases,
  ...filesCases,
  ...requestsCases,
  ...ledgerCases,
  ...idempotencyCases,
  ...idempotencyRunCases,
  ...errorsCases,
  ...limitsCases,
  ...resourcesCases,
  ...resourcesStatesCases,
  ...cachesCases,
  ...batchesCases,
  ...storesCases,
  ...environmentsCases,
  ...agentsCases,
  ...interactionsCases,
  ...interactionsToolsCases,
  ...interactionsMediaCases,
  ...videosCases,
  ...liveCases,
  ...liveAccessCases,
  ...webhooksCases,
  ...webhookEventsCases,
  ...webhookDeliveryCases,
  ...triggersCases,
  ...triggersLifeCases,
  ...versioningCases,
  ...upstreamCases,
];
