import type { ResourceKind } from '@tollgate/contract';
import { type Key, type OperationRecord, type ResourceRecord } from '@tollgate/storage';
import { findAnswer, type LargeAnswer } from '../operations/answers.ts';
import { jsonBytes } from '../decisions/quotas.ts';
import { listingOf } from '../decisions/resource-draft.ts';
import { fixedBytesMax, listPage, listWithin } from '../operations/list-within.ts';
import type { Engine } from '../engine.ts';
import { cacheResult, keptCache } from './cache/cache-work.ts';

export interface FoundResource {
  readonly operation: OperationRecord;
  readonly resource: ResourceRecord;
  /** The public result without credits, as JSON text of an object; null where there is none, or none that is kept. */
  readonly result: string | null;
  /** Where the result lies instead, if it is too large to be held. */
  readonly large?: LargeAnswer;
}

/** A result of so many bytes is held in memory; a longer one is read from where it lies. */
const heldBytesMax = 4_194_304;

/** What a cache that can be used has as its result before anything is settled. */
const resultInUse = (resource: ResourceRecord): string | null => {
  const kept = resource.availability === 'active' ? keptCache(resource) : null;
  return kept === null || resource.expiresAtMs === null ? null : cacheResult(kept, resource.expiresAtMs);
};

// resources:record:result-when-complete
/** A result is shown once its operation is settled. */
const readResult = async (
  engine: Engine,
  operation: OperationRecord,
  resource: ResourceRecord,
): Promise<Pick<FoundResource, 'result' | 'large'>> => {
  if (operation.state !== 'completed') return { result: resultInUse(resource) };
  const found = await findAnswer(engine, operation, heldBytesMax);
  return typeof found === 'string' || found === null ? { result: found } : { result: null, large: found };
};

/** A resource of this project and kind, a deleted one too, or null: another project's is as good as none. */
export const findResource = async (
  engine: Engine,
  projectId: string,
  kind: ResourceKind,
  id: string,
): Promise<FoundResource | null> => {
  const records = await engine.storage.read([
    { table: 'operation', id },
    { table: 'resource', id },
  ]);
  const operation = records.get('operation', id);
  const resource = records.get('resource', id);
  if (operation === undefined || resource === undefined) return null;
  if (resource.projectId !== projectId || resource.kind !== kind) return null;
  return { operation, resource, ...(await readResult(engine, operation, resource)) };
};

/** The same with every resource that is listed beside its result where that is small enough to be in its own row. */
const withOperations = async (
  engine: Engine,
  resources: readonly ResourceRecord[],
): Promise<readonly FoundResource[]> => {
  const keys: Key[] = resources.flatMap(({ id }) => [
    { table: 'operation', id } as const,
    { table: 'answer', id } as const,
  ]);
  if (keys.length === 0) return [];
  const records = await engine.storage.read(keys);
  return resources.flatMap((resource) => {
    const operation = records.get('operation', resource.id);
    if (operation === undefined) return [];
    const shown = operation.state === 'completed' && operation.answer === 'stored';
    return [
      {
        operation,
        resource,
        result: shown ? (records.get('answer', resource.id)?.body ?? null) : resultInUse(resource),
      },
    ];
  });
};

const bytesOf = ({ resource, result }: FoundResource): number =>
  jsonBytes([resource.displayName, resource.publicFields]) +
  (result === null ? 0 : Buffer.byteLength(result)) +
  fixedBytesMax;

// resources:list:*
/** The newest resources of a kind in a project, deleted ones left out, as many as a list shows. */
export const listResources = (
  engine: Engine,
  projectId: string,
  kind: ResourceKind,
): Promise<readonly FoundResource[]> =>
  listWithin(async (page) => {
    const query = { of: listingOf(projectId, kind), ...page };
    const rows = await engine.storage.list('resources', query);
    return listPage(rows, page.limit, await withOperations(engine, rows));
  }, bytesOf);
