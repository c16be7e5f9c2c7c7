import { decideEndEarly, endEarlyKeys } from '../../decisions/end-early.ts';
import type { Engine } from '../../engine.ts';
import { deleteResource, isInUse, type DeleteResourceOutcome } from '../../resources/delete-resource.ts';
import { findResource } from '../../resources/find-resource.ts';
import { runWork } from '../../work/run-work.ts';

/** How often a cache that is being taken into use is looked at again. */
const looksMax = 5;

/**
 * Deletes a cache: one that is usable is ended now, charged for the time that it was really stored, and deleted in one go
 * (caches:delete:*); one that has ended before is deleted like any other resource.
 */
export const endCache = async (engine: Engine, projectId: string, id: string): Promise<DeleteResourceOutcome> => {
  const kind = engine.workshop.find('cache');
  for (let look = 0; look < looksMax; look += 1) {
    const found = await findResource(engine, projectId, 'cache', id);
    if (found === null || found.resource.standing === 'deleted') return { kind: 'missing' };
    if (found.resource.standing !== 'active' || kind === null)
      return deleteResource(engine, projectId, { kind: 'cache', id });
    if (await isInUse(engine, id)) return { kind: 'in_use' };
    const { owner } = engine;
    const command = { resourceId: id, uses: found.resource.uses, owner, leaseMs: engine.limits.leaseMs };
    const answer = await engine.storage.transact(endEarlyKeys(command), decideEndEarly(command));
    if (answer.kind === 'pending') return { kind: 'in_use' };
    if (answer.kind === 'used') continue;
    await runWork(engine, kind, answer.operation, new AbortController().signal);
    engine.wake.wake();
    const ended = await findResource(engine, projectId, 'cache', id);
    return ended === null ? { kind: 'missing' } : { kind: 'deleted', found: ended };
  }
  return { kind: 'in_use' };
};
