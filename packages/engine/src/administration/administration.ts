import type { Engine } from '../engine.ts';
import { sweep, type JobParts, type SweepReport } from '../jobs/sweep.ts';
import { audit, type AuditReport } from '../ledger/audit.ts';
import { bindAccounts, type AccountMethods } from './account-methods.ts';
import { createBind } from './bind-methods.ts';
import { bindEvents, type EventMethods } from './event-methods.ts';
import { bindOperations, type OperationMethods } from './operation-methods.ts';
import { bindProjects, type ProjectMethods } from './project-methods.ts';
import { bindUsage, type UsageMethods } from './usage-methods.ts';

export { tokenBounds } from './tokens.ts';

/** Everything a host's dashboard does: plain functions, none of them reachable over HTTP by itself. */
export interface Administration extends AccountMethods, ProjectMethods, OperationMethods, EventMethods, UsageMethods {
  /** Recomputes every account from its entries and operations, and reports each rule that does not hold. */
  readonly audit: () => Promise<AuditReport>;
  /** Runs one round of the background work of this process now. */
  readonly sweep: () => Promise<SweepReport>;
}

/**
 * Binds the administration to one engine, and its sweep to the parts of the same process. A method rejects with a
 * `ConfigurationError` that names it and the field where an argument cannot be meant.
 */
export const createAdministration = (engine: Engine, parts: JobParts): Administration => {
  const bind = createBind(engine);
  return {
    ...bindAccounts(bind),
    ...bindProjects(bind),
    ...bindOperations(bind),
    ...bindEvents(bind),
    ...bindUsage(bind),
    audit: bind('audit', audit),
    sweep: () => sweep(engine, parts),
  };
};
