import type { ResourceUse } from '../../decisions/resource-draft.ts';
import type { Engine } from '../../engine.ts';

// environments:states:idle-expiry
/** How an operation opens with an environment: it must be usable, and is not idle from then on. */
export const useOfEnvironment = (engine: Engine, id: string): ResourceUse => ({
  id,
  kind: 'environment',
  model: null,
  keptMs: engine.limits.environmentIdleMs,
});
