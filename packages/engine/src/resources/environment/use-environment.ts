import type { ResourceUse } from '../../decisions/resource-draft.ts';
import type { Engine } from '../../engine.ts';

/** How an operation opens with an environment: it must be usable, and is not idle from then on (environments:states:idle-expiry). */
export const useOfEnvironment = (engine: Engine, id: string): ResourceUse => ({
  id,
  kind: 'environment',
  model: null,
  keptMs: engine.limits.environmentIdleMs,
});
