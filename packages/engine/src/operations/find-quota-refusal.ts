import { refuseUsage, usageKey, type QuotaRefusal, type Usage } from '../decisions/quotas.ts';
import type { Engine } from '../engine.ts';

/**
 * Why a project has no room for so much more as things stand, or null. Spares reading what would be refused; the step that keeps it
 * decides again.
 */
export const findQuotaRefusal = async (
  engine: Engine,
  projectId: string,
  change: Usage,
): Promise<QuotaRefusal | null> => {
  const records = await engine.storage.read([usageKey(projectId)]);
  return refuseUsage(records.get('projectUsage', projectId), engine.policy.quotas, change);
};
