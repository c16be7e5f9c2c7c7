import { resourceKinds, type ResourceKind } from '@tollgate/contract';
import { listRowsMax, type IndexName, type IndexTable, type Tables } from '@tollgate/storage';
import {
  addUsage,
  isUnderWayKind,
  usageChange,
  usageKey,
  usageOfFile,
  usageOfOperation,
  usageOfResource,
  usageOfTrigger,
  usageOfWebhook,
  type Usage,
} from '../decisions/quotas.ts';
import { listingOf } from '../decisions/resource-draft.ts';
import type { Engine } from '../engine.ts';

/** How often a project that changes while it is read is read again. */
const readsMax = 5;

/** Adds up every row of an index over a project. */
const sumOf = async <I extends IndexName>(
  { storage }: Pick<Engine, 'storage'>,
  { index, projectId }: { readonly index: I; readonly projectId: string },
  look: {
    readonly usageOf: (row: Tables[IndexTable<I>]) => Usage;
    readonly placeOf: (row: Tables[IndexTable<I>]) => { readonly order: number; readonly id: string };
  },
): Promise<Usage> => {
  let sum: Usage = {};
  let after: { readonly order: number; readonly id: string } | undefined;
  for (;;) {
    const query = { of: projectId, limit: listRowsMax, ...(after === undefined ? {} : { after }) };
    const rows = await storage.list(index, query);
    for (const row of rows) sum = addUsage(sum, look.usageOf(row));
    const last = rows.at(-1);
    if (rows.length < listRowsMax || last === undefined) return sum;
    after = look.placeOf(last);
  }
};

const placeOf = ({ createdAtMs, id }: { readonly createdAtMs: number; readonly id: string }) => ({
  order: createdAtMs,
  id,
});

/** Operations of a kind that are under way, found by their resources: what is under way cannot be deleted, so it is listed. */
const sumUnderWay = async (engine: Engine, projectId: string, kind: ResourceKind): Promise<Usage> => {
  const { storage } = engine;
  let sum: Usage = {};
  let after: { readonly order: number; readonly id: string } | undefined;
  for (;;) {
    const query = { of: listingOf(projectId, kind), limit: listRowsMax, ...(after === undefined ? {} : { after }) };
    const resources = await storage.list('resources', query);
    const last = resources.at(-1);
    if (last === undefined) return sum;
    const records = await storage.read(resources.map(({ id }) => ({ table: 'operation', id }) as const));
    for (const { id } of resources) {
      const operation = records.get('operation', id);
      if (operation !== undefined) sum = addUsage(sum, usageOfOperation(operation));
    }
    if (resources.length < listRowsMax) return sum;
    after = placeOf(last);
  }
};

/** What the rows of a project come to. Triggers are in two indexes: by their bytes, and by their number. */
const usageOfRows = async (engine: Engine, projectId: string): Promise<Usage> => {
  const sums = [
    await sumOf(engine, { index: 'keptFiles', projectId }, { usageOf: usageOfFile, placeOf }),
    await sumOf(engine, { index: 'keptResources', projectId }, { usageOf: usageOfResource, placeOf }),
    await sumOf(engine, { index: 'keptTriggers', projectId }, { usageOf: usageOfTrigger, placeOf }),
    await sumOf(engine, { index: 'webhooksByProject', projectId }, { usageOf: usageOfWebhook, placeOf }),
  ];
  for (const kind of resourceKinds) if (isUnderWayKind(kind)) sums.push(await sumUnderWay(engine, projectId, kind));
  return sums.reduce(addUsage, {});
};

export type UsageAudit =
  | { readonly kind: 'sound' }
  /** In words. */
  | { readonly kind: 'differs'; readonly detail: string }
  /** It kept changing while it was read. */
  | { readonly kind: 'busy' };

/** Whether the count of a project is what its rows come to. */
export const auditUsage = async (engine: Engine, projectId: string): Promise<UsageAudit> => {
  const read = async () => (await engine.storage.read([usageKey(projectId)])).get('projectUsage', projectId);
  for (let look = 0; look < readsMax; look += 1) {
    const before = await read();
    const rows = await usageOfRows(engine, projectId);
    const after = await read();
    if (before?.revision !== after?.revision) continue;
    const differing = Object.entries(usageChange(rows, before?.used ?? {}));
    if (differing.length === 0) return { kind: 'sound' };
    const detail = differing.map(([name, by]) => `${name} counted ${by} too many`).join(', ');
    return { kind: 'differs', detail: `${projectId}: ${detail}` };
  }
  return { kind: 'busy' };
};
