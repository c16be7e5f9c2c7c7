import { discardBlob, type ResourcePlan } from '@tollgate/engine';
import type { Service } from '../service.ts';

/** What was put aside for an interaction that was not opened; what cannot be removed now is the sweep's. */
export const dropGuarded = async ({ engine }: Service, { access, guard, id }: ResourcePlan): Promise<void> => {
  const ids = { requestId: access.requestId, operationId: id };
  for (const key of guard?.blobKeys ?? []) await discardBlob(engine, key, ids);
};
