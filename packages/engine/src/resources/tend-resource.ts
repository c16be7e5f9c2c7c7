import type { OperationRecord, ResourceRecord } from '@tollgate/storage';
import { clearResourceKeys, decideClearResource } from '../decisions/clear-resource.ts';
import { decideEndResource, endResourceKeys } from '../decisions/end-resource.ts';
import { decideFadeResource, fadeResourceKeys } from '../decisions/fade-resource.ts';
import { farAwayMs } from '../conclude.ts';
import type { Engine } from '../engine.ts';
import type { WorkKind } from '../work/work-kind.ts';

/** The kinds that never show `expired` lose their parts one after the other. */
const fade = async (
  engine: Engine,
  resource: ResourceRecord,
  fadeParts: NonNullable<WorkKind['fade']>,
): Promise<void> => {
  const command = { resourceId: resource.id, claimedBy: resource.owner, ...(await fadeParts(resource)) };
  await engine.storage.transact(fadeResourceKeys(command), decideFadeResource(command));
};

const expire = async (engine: Engine, resource: ResourceRecord): Promise<void> => {
  const fadeParts = engine.workshop.find(resource.kind)?.fade;
  if (fadeParts !== undefined) return fade(engine, resource, fadeParts);
  const command = {
    resourceId: resource.id,
    standing: 'expired' as const,
    uses: resource.uses,
    recordKeptMs: engine.limits.recordKeptMs ?? farAwayMs,
    claimedBy: resource.owner,
    uncounted: resource,
  };
  await engine.storage.transact(endResourceKeys(command), decideEndResource(command));
};

const discard = async (engine: Engine, resource: ResourceRecord): Promise<void> => {
  await engine.workshop.find(resource.kind)?.discard?.(resource);
  const command = { resourceId: resource.id, claimedBy: resource.owner };
  await engine.storage.transact(clearResourceKeys(command), decideClearResource(command));
};

const isOver = (operation: OperationRecord, { standing }: ResourceRecord): boolean =>
  operation.state === 'failed' || standing === 'deleted' || standing === 'expired';

/**
 * Removes what the work of an operation has left behind that failed, or whose resource has ended and nobody has cleared away yet,
 * before its record goes; answers the resource.
 */
export const discardEnded = async (engine: Engine, operation: OperationRecord): Promise<ResourceRecord | undefined> => {
  const records = await engine.storage.read([{ table: 'resource', id: operation.id }]);
  const resource = records.get('resource', operation.id);
  if (resource !== undefined && resource.work !== null && isOver(operation, resource))
    await engine.workshop.find(resource.kind)?.discard?.(resource);
  return resource;
};

/** A resource whose time has come: it expires, and what lies outside of its record is removed afterwards. */
export const tendResource = async (engine: Engine, resource: ResourceRecord): Promise<void> => {
  try {
    switch (resource.standing) {
      case 'follows':
      case 'active':
      case 'requires_action':
        await expire(engine, resource);
        break;
      case 'expired':
      case 'deleted':
        await discard(engine, resource);
    }
  } catch (cause) {
    // The claim on the row runs out, and it is looked at again.
    engine.logger.error('a due resource could not be tended', { resourceId: resource.id, cause });
  }
};
