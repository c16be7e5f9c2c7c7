import type { OperationRecord, ResourceRecord } from '@tollgate/storage';
import { clearResource, endResource, fadeResource } from '../decisions/end-resource.ts';
import { farAwayMs } from '../operations/conclude.ts';
import type { Engine } from '../engine.ts';
import { commitOnce } from '../operations/persist.ts';
import type { ResourceKinds } from '../workers/resource-kinds.ts';
import type { WorkKind } from '../workers/work-kind.ts';

/** The kinds that never show `expired` lose their parts one after the other. */
const fade = async (
  engine: Engine,
  resource: ResourceRecord,
  fadeParts: NonNullable<WorkKind['fade']>,
): Promise<void> => {
  const { id, projectId, owner } = resource;
  const command = { resourceId: id, projectId, claimedBy: owner, ...(await fadeParts(resource)) };
  await commitOnce(engine, fadeResource(command));
};

const expire = async (engine: Engine, kinds: ResourceKinds, resource: ResourceRecord): Promise<void> => {
  const fadeParts = kinds.get(resource.kind)?.fade;
  if (fadeParts !== undefined) return fade(engine, resource, fadeParts);
  const command = {
    resourceId: resource.id,
    availability: 'expired' as const,
    uses: resource.uses,
    recordKeptMs: engine.limits.recordKeptMs ?? farAwayMs,
    claimedBy: resource.owner,
    uncounted: resource,
  };
  await commitOnce(engine, endResource(command));
};

const discard = async (engine: Engine, kinds: ResourceKinds, resource: ResourceRecord): Promise<void> => {
  await kinds.get(resource.kind)?.discard?.(resource);
  const command = { resourceId: resource.id, projectId: resource.projectId, claimedBy: resource.owner };
  await commitOnce(engine, clearResource(command));
};

const isOver = (operation: OperationRecord, { availability }: ResourceRecord): boolean =>
  operation.state === 'failed' || availability === 'deleted' || availability === 'expired';

/**
 * Before the record of a failed operation goes, or of one whose ended resource was not cleared away yet: removes what its work
 * has left behind, and returns the resource.
 */
export const discardEnded = async (
  engine: Engine,
  kinds: ResourceKinds,
  operation: OperationRecord,
): Promise<ResourceRecord | undefined> => {
  const records = await engine.storage.read([{ table: 'resource', id: operation.id }]);
  const resource = records.get('resource', operation.id);
  if (resource !== undefined && resource.work !== null && isOver(operation, resource))
    await kinds.get(resource.kind)?.discard?.(resource);
  return resource;
};

/** A resource whose time has come: it expires, and what lies outside of its record is removed afterwards. */
export const processDueResource = async (
  engine: Engine,
  kinds: ResourceKinds,
  resource: ResourceRecord,
): Promise<void> => {
  try {
    switch (resource.availability) {
      case 'follows':
      case 'active':
      case 'requires_action':
        await expire(engine, kinds, resource);
        break;
      case 'expired':
      case 'deleted':
        await discard(engine, kinds, resource);
    }
  } catch (cause) {
    // The claim on the row runs out, and it is checked again.
    engine.logger.error('a due resource could not be processed', { operationId: resource.id, cause });
  }
};
