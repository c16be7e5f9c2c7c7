import type { ResourceKind } from '@tollgate/contract';
import type { ResourceRecord } from '@tollgate/storage';
import { farAwayMs } from '../operations/conclude.ts';
import { endResource } from '../decisions/end-resource.ts';
import type { Engine } from '../engine.ts';
import { commitOnce } from '../operations/persist.ts';
import { isUnderWay } from '../operations/uses-under-way.ts';
import { findResource, type FoundResource } from './find-resource.ts';

export type DeleteResourceOutcome =
  | { readonly kind: 'deleted'; readonly found: FoundResource }
  /** Its execution has not ended, or an operation that has not ended uses it. */
  | { readonly kind: 'in_use' }
  | { readonly kind: 'missing' };

/** How often a resource that is being taken into use is checked again. */
const looksMax = 5;

/** Whether an operation that has not ended uses it. */
export const isInUse = (engine: Engine, resourceId: string): Promise<boolean> =>
  isUnderWay(engine, 'usesByResource', resourceId);

/**
 * Deletes a resource whose execution is over and that nothing under way uses. `isBusy` is what a kind adds, such as documents
 * still being indexed. A use that begins meanwhile is seen by its count, and everything is checked again.
 */
export const deleteResource = async (
  engine: Engine,
  projectId: string,
  { kind, id }: { readonly kind: ResourceKind; readonly id: string },
  isBusy: (resource: ResourceRecord) => Promise<boolean> = () => Promise.resolve(false),
): Promise<DeleteResourceOutcome> => {
  for (let look = 0; look < looksMax; look += 1) {
    const found = await findResource(engine, projectId, kind, id);
    if (found === null || found.resource.availability === 'deleted') return { kind: 'missing' };
    if ((await isInUse(engine, id)) || (await isBusy(found.resource))) return { kind: 'in_use' };
    const command = {
      resourceId: id,
      availability: 'deleted' as const,
      uses: found.resource.uses,
      recordKeptMs: engine.limits.recordKeptMs ?? farAwayMs,
      claimedBy: null,
      uncounted: found.resource,
    };
    const answer = await commitOnce(engine, endResource(command));
    switch (answer.kind) {
      case 'ended':
        engine.signals.workDue.notify();
        return { kind: 'deleted', found: { ...found, operation: answer.operation, resource: answer.resource } };
      case 'pending':
        return { kind: 'in_use' };
      case 'missing':
        return { kind: 'missing' };
      case 'used':
        break;
    }
  }
  return { kind: 'in_use' };
};
