import type { ResourceKind } from '@tollgate/contract';
import type {
  FileRecord,
  Key,
  OperationRecord,
  ProjectUsageRecord,
  Records,
  ResourceRecord,
  TriggerRecord,
  WebhookRecord,
  Write,
} from '@tollgate/storage';

/** What a project may keep at once; null is without a limit. */
export interface Quotas {
  /** Bytes of files, of environments with their files, of the definitions of agents, stores, documents and triggers, and of the blobs of ended interactions. */
  readonly keptBytesMax: number | null;
  readonly filesMax: number | null;
  readonly environmentsMax: number | null;
  readonly agentsMax: number | null;
  readonly storesMax: number | null;
  readonly documentsMax: number | null;
  /** Paused ones count, deleted ones do not. */
  readonly triggersMax: number | null;
  readonly webhooksMax: number | null;
  /** Batches that have neither completed nor failed. */
  readonly batchesUnderWayMax: number | null;
  /** Videos that have neither completed nor failed. */
  readonly videosUnderWayMax: number | null;
}

export const defaultQuotas: Quotas = {
  keptBytesMax: 10 * 1_073_741_824,
  filesMax: 10_000,
  environmentsMax: 1_000,
  agentsMax: 1_000,
  storesMax: 1_000,
  documentsMax: 100_000,
  triggersMax: 1_000,
  webhooksMax: 1_000,
  batchesUnderWayMax: 1_000,
  videosUnderWayMax: 1_000,
};

export type QuotaName = keyof Quotas extends `${infer N}Max` ? N : never;

/** By name of quota; what is absent is 0. */
export type Usage = Readonly<Partial<Record<QuotaName, number>>>;

const quotaNames = [
  'keptBytes',
  'files',
  'environments',
  'agents',
  'stores',
  'documents',
  'triggers',
  'webhooks',
  'batchesUnderWay',
  'videosUnderWay',
] as const satisfies readonly QuotaName[];

/** Of what counts against no quota. */
export const noUsage: Usage = {};

const resourceQuotas: ReadonlyMap<string, QuotaName> = new Map([
  ['environment', 'environments'],
  ['agent', 'agents'],
  ['store', 'stores'],
  ['document', 'documents'],
]);

/** The kinds whose operations count from their opening to their end, with their quotas. */
const underWayQuotas: ReadonlyMap<string, QuotaName> = new Map([
  ['batch', 'batchesUnderWay'],
  ['video', 'videosUnderWay'],
] satisfies readonly (readonly [ResourceKind, QuotaName])[]);

/** Whether resources of a kind count by what they keep from their opening on. */
export const isCountedKind = (kind: string): boolean => resourceQuotas.has(kind);

/** The kinds whose resources count, from the step that settles them, by the blobs that they keep. */
const countedWhenClosed: ReadonlySet<string> = new Set(['interaction'] satisfies readonly ResourceKind[]);

/** Whether resources of a kind may count by what they keep, from whenever on. */
export const isKeepingKind = (kind: string): boolean => isCountedKind(kind) || countedWhenClosed.has(kind);

/** Whether the end of an operation of a kind may change the count of its project. */
export const isCountedAtEnd = (kind: string): boolean => isUnderWayKind(kind) || countedWhenClosed.has(kind);

/** Whether operations of a kind count while they are under way. */
export const isUnderWayKind = (kind: string): boolean => underWayQuotas.has(kind);

/** What a file counts until its bytes are cleared away. */
export const usageOfFile = ({ keptBytes }: Pick<FileRecord, 'keptBytes'>): Usage =>
  keptBytes === null ? noUsage : { files: 1, keptBytes };

/** What a resource counts until what lies outside of its record is cleared away. */
export const usageOfResource = ({ kind, keptBytes }: Pick<ResourceRecord, 'kind' | 'keptBytes'>): Usage => {
  if (keptBytes === null) return noUsage;
  const name = resourceQuotas.get(kind);
  return name === undefined ? { keptBytes } : { [name]: 1, keptBytes };
};

/** What an operation counts until it has completed or failed; one whose outcome is unknown still holds its credits, and counts. */
export const usageOfOperation = ({ kind, endedAtMs }: Pick<OperationRecord, 'kind' | 'endedAtMs'>): Usage => {
  const name = underWayQuotas.get(kind);
  return endedAtMs !== null || name === undefined ? noUsage : { [name]: 1 };
};

/** A schedule that was deleted leaves room for another at once; its bytes count until they are cleared away. */
export const usageOfTrigger = ({ status, keptBytes }: Pick<TriggerRecord, 'status' | 'keptBytes'>): Usage => ({
  ...(status === 'disabled' ? {} : { triggers: 1 }),
  ...(keptBytes === null ? {} : { keptBytes }),
});

export const usageOfWebhook = ({ status }: Pick<WebhookRecord, 'status'>): Usage =>
  status === 'disabled' ? noUsage : { webhooks: 1 };

/** Most operations count nothing. */
const combine = (one: Usage, other: Usage, sign: 1 | -1): Usage =>
  one === noUsage && other === noUsage
    ? noUsage
    : Object.fromEntries(
        quotaNames.flatMap((name) => {
          const sum = (one[name] ?? 0) + sign * (other[name] ?? 0);
          return sum === 0 ? [] : [[name, sum]];
        }),
      );

export const addUsage = (one: Usage, other: Usage): Usage => combine(one, other, 1);

/** What changes from one to the other. */
export const usageChange = (before: Usage, after: Usage): Usage => combine(after, before, -1);

export const usageKey = (projectId: string): Key => ({ table: 'projectUsage', id: projectId });

/** A quota that does not allow what was asked for. */
export interface QuotaRefusal {
  readonly quota: QuotaName;
  readonly allowed: number;
  readonly used: number;
  readonly asked: number;
}

const makingRoom = (quota: QuotaName): string => {
  if (quota === 'batchesUnderWay') return 'Wait until one has ended, or cancel one.';
  return quota === 'videosUnderWay' ? 'Wait until one has ended.' : 'Delete what is not needed any more.';
};

/** In words for the client: which quota, how much of it is used, how much is allowed, and what makes room. */
export const describeQuota = ({ quota, allowed, used, asked }: QuotaRefusal): string =>
  `The quota ${quota} of this project is used up: ${used} of ${allowed} in use, and this request needs ${asked} more. ` +
  makingRoom(quota);

const limitOf = (record: ProjectUsageRecord | undefined, quotas: Quotas, name: QuotaName): number | null => {
  const own = record?.overrides?.[`${name}Max`];
  return own === undefined ? quotas[`${name}Max`] : own;
};

/** The first quota that a change would exceed, or null. What does not grow is never refused. */
export const refuseUsage = (
  record: ProjectUsageRecord | undefined,
  quotas: Quotas,
  change: Usage,
): QuotaRefusal | null => {
  for (const quota of quotaNames) {
    const asked = change[quota] ?? 0;
    const allowed = limitOf(record, quotas, quota);
    if (asked <= 0 || allowed === null) continue;
    const used = record?.used[quota] ?? 0;
    if (used + asked > allowed) return { quota, allowed, used, asked };
  }
  return null;
};

/** Counts a change in the record of its project. */
export const usageWrites = (records: Records, projectId: string, change: Usage): readonly Write[] => {
  if (change === noUsage || Object.keys(change).length === 0) return [];
  const before = records.get('projectUsage', projectId);
  const record: ProjectUsageRecord = {
    id: projectId,
    used: addUsage(before?.used ?? noUsage, change),
    overrides: before?.overrides ?? null,
    revision: (before?.revision ?? 0) + 1,
  };
  return [{ kind: 'put', table: 'projectUsage', record }];
};

/** Takes an operation that is removed out of the count, with its resource, where they count and still do. */
export const uncountOperation = (records: Records, operation: OperationRecord): readonly Write[] => {
  const resource = isKeepingKind(operation.kind) ? records.get('resource', operation.id) : undefined;
  const kept = resource === undefined ? noUsage : usageOfResource(resource);
  return usageWrites(records, operation.projectId, usageChange(addUsage(kept, usageOfOperation(operation)), noUsage));
};

/** Bytes of a value as JSON. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');
