import { agentsRequirements } from './requirements/areas/agents.ts';
import { authRequirements } from './requirements/areas/auth.ts';
import { batchesRequirements } from './requirements/areas/batches.ts';
import { cachesRequirements } from './requirements/areas/caches.ts';
import { catalogRequirements } from './requirements/areas/catalog.ts';
import { chatRequirements } from './requirements/areas/chat.ts';
import { documentsRequirements } from './requirements/areas/documents.ts';
import { embeddingsRequirements } from './requirements/areas/embeddings.ts';
import { environmentsRequirements } from './requirements/areas/environments.ts';
import { errorsRequirements } from './requirements/areas/errors.ts';
import { filesRequirements } from './requirements/areas/files.ts';
import { generateRequirements } from './requirements/areas/generate.ts';
import { idempotencyRequirements } from './requirements/areas/idempotency.ts';
import { interactionsRequirements } from './requirements/areas/interactions.ts';
import { ledgerRequirements } from './requirements/areas/ledger.ts';
import { limitsRequirements } from './requirements/areas/limits.ts';
import { liveRequirements } from './requirements/areas/live.ts';
import { modelsRequirements } from './requirements/areas/models.ts';
import { requestsRequirements } from './requirements/areas/requests.ts';
import { resourcesRequirements } from './requirements/areas/resources.ts';
import { storesRequirements } from './requirements/areas/stores.ts';
import { streamRequirements } from './requirements/areas/stream.ts';
import { triggersRequirements } from './requirements/areas/triggers.ts';
import { versioningRequirements } from './requirements/areas/versioning.ts';
import { videosRequirements } from './requirements/areas/videos.ts';
import { webhooksRequirements } from './requirements/areas/webhooks.ts';
import type { Requirement } from './requirements/requirement.ts';

/** Every rule of the contract, and whether a test shows it. */
export const requirements: readonly Requirement[] = [
  ...agentsRequirements,
  ...authRequirements,
  ...batchesRequirements,
  ...cachesRequirements,
  ...catalogRequirements,
  ...chatRequirements,
  ...documentsRequirements,
  ...embeddingsRequirements,
  ...environmentsRequirements,
  ...errorsRequirements,
  ...filesRequirements,
  ...generateRequirements,
  ...idempotencyRequirements,
  ...interactionsRequirements,
  ...ledgerRequirements,
  ...limitsRequirements,
  ...liveRequirements,
  ...modelsRequirements,
  ...requestsRequirements,
  ...resourcesRequirements,
  ...storesRequirements,
  ...streamRequirements,
  ...triggersRequirements,
  ...versioningRequirements,
  ...videosRequirements,
  ...webhooksRequirements,
];
