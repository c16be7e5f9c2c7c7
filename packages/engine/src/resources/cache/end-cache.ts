import { endEarly } from '../../decisions/end-resource.ts';
import type { Engine } from '../../engine.ts';
import { commitOnce } from '../../operations/persist.ts';
import { deleteResource, isInUse, type DeleteResourceOutcome } from '../delete-resource.ts';
import { findResource } from '../find-resource.ts';
import type { ResourceKinds } from '../../workers/resource-kinds.ts';
import { runWork, type TurnControl } from '../../workers/run-work.ts';

/** The request itself runs the turn, and no renewal of a lease can abort it. */
const uninterrupted: TurnControl = { signal: new AbortController().signal, isDraining: () => false };

/** How often a cache that is being taken into use is checked again. */
const looksMax = 5;

// caches:delete:*
/**
 * Deletes a cache: one that is usable is ended now, charged for the time that it was really stored, and deleted in one go
 *; one that has ended before is deleted like any other resource.
 */
export const endCache = async (
  engine: Engine,
  kinds: ResourceKinds,
  projectId: string,
  id: string,
): Promise<DeleteResourceOutcome> => {
  const kind = kinds.get('cache');
  for (let look = 0; look < looksMax; look += 1) {
    const found = await findResource(engine, projectId, 'cache', id);
    if (found === null || found.resource.availability === 'deleted') return { kind: 'missing' };
    if (found.resource.availability !== 'active' || kind === undefined)
      return deleteResource(engine, projectId, { kind: 'cache', id });
    if (await isInUse(engine, id)) return { kind: 'in_use' };
    const { owner } = engine;
    const command = { resourceId: id, uses: found.resource.uses, owner, leaseMs: engine.limits.leaseMs };
    const answer = await commitOnce(engine, endEarly(command));
    if (answer.kind === 'pending') return { kind: 'in_use' };
    if (answer.kind === 'used') continue;
    await runWork(engine, kind, answer.operation, uninterrupted);
    engine.signals.workDue.notify();
    const ended = await findResource(engine, projectId, 'cache', id);
    return ended === null ? { kind: 'missing' } : { kind: 'deleted', found: ended };
  }
  return { kind: 'in_use' };
};
