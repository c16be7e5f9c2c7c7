import { amountsCases } from './amounts-cases.ts';
import { authCases } from './auth-cases.ts';
import { catalogCases } from './catalog-cases.ts';
import { chatAnswerCases } from './chat-answer-cases.ts';
import { chatMediaCases } from './chat-media-cases.ts';
import { chatRequestCases } from './chat-request-cases.ts';
import { chatToolCases } from './chat-tool-cases.ts';
import { embeddingsAnswerCases } from './embeddings-answer-cases.ts';
import { embeddingsInputCases } from './embeddings-input-cases.ts';
import { errorsCases } from './errors-cases.ts';
import type { GatewayCase } from './gateway-case.ts';
import { googleCases } from './google-cases.ts';
import { idempotencyCases } from './idempotency-cases.ts';
import { ledgerCases } from './ledger-cases.ts';
import { limitsCases } from './limits-cases.ts';
import { modelsCases } from './models-cases.ts';
import { overrunCases } from './overrun-cases.ts';
import { requestsCases } from './requests-cases.ts';
import { streamCases } from './stream-cases.ts';
import { versioningCases } from './versioning-cases.ts';

/** Everything that a gateway must do, by area of the contract. */
export const gatewayCases: readonly GatewayCase[] = [
  ...modelsCases,
  ...authCases,
  ...chatRequestCases,
  ...chatMediaCases,
  ...chatToolCases,
  ...chatAnswerCases,
  ...streamCases,
  ...embeddingsInputCases,
  ...embeddingsAnswerCases,
  ...googleCases,
  ...requestsCases,
  ...ledgerCases,
  ...amountsCases,
  ...overrunCases,
  ...idempotencyCases,
  ...errorsCases,
  ...limitsCases,
  ...catalogCases,
  ...versioningCases,
];
