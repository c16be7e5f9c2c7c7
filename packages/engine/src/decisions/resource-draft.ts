import {
  statesByKind,
  type ErrorCode,
  type ResourceKind,
  type ResourceAvailability,
  type ResourceState,
} from '@tollgate/contract';
import type { BatchItemRecord, Key, OperationRecord, Records, ResourceRecord, Write } from '@tollgate/storage';
import { treeKeys, treeWrites, type NewEnvironmentFile } from './environment-draft.ts';
import { useLookMs } from './forget-use.ts';
import { isCountedKind, jsonBytes, noUsage, usageOfResource, type Usage } from './quotas.ts';
import { refuseUnfinished } from './refuse-unfinished.ts';

/** A resource as it is asked for; ids, owners and times come from the operation that carries it. */
export interface ResourceDraft<W = unknown> {
  readonly kind: ResourceKind;
  readonly displayName: string | null;
  /** The resource it belongs to, or null. */
  readonly parent: string | null;
  /** Kinds without work are `active` at once. */
  readonly availability: Extract<ResourceAvailability, 'follows' | 'active'>;
  readonly publicFields: Readonly<Record<string, unknown>>;
  readonly work: W;
  /** Counted from its creation; null where its work says when it ends, or where it never does. */
  readonly expiresAfterMs: number | null;
  readonly items: readonly Pick<BatchItemRecord, 'key'>[];
  /** What an environment begins with; present for environments alone. */
  readonly files?: readonly NewEnvironmentFile[];
}

/** A new resource: without a name, a parent, items or an end, and following its operation, but for what is given. */
export const draftResource = <W>(
  given: Pick<ResourceDraft<W>, 'kind' | 'publicFields' | 'work'> & Partial<ResourceDraft<W>>,
): ResourceDraft<W> => ({
  displayName: null,
  parent: null,
  availability: 'follows',
  expiresAfterMs: null,
  items: [],
  ...given,
});

/** A resource of the project that an operation needs while it runs. */
export interface ResourceUse {
  readonly id: string;
  readonly kind: ResourceKind;
  /** The only model that may use it, or null where any may. */
  readonly model: string | null;
  /** It is usable once its execution is completed; without it only where it stands as usable. */
  readonly whenCompleted?: true;
  /** What expires after so long without use: its time begins anew with this use. */
  readonly keptMs?: number;
}

/** Resources are listed by project and kind. */
export const listingOf = (projectId: string, kind: ResourceKind): string => `${projectId}/${kind}`;

export const useId = (resourceId: string, operationId: string): string => `${resourceId}:${operationId}`;

/** Places are padded so that the ids of a batch's items sort as the items were sent. */
export const batchItemId = (batchId: string, place: number): string => `${batchId}:${String(place).padStart(4, '0')}`;

/** The records that a new resource comes into being with. */
export const draftKeys = (operationId: string, draft: ResourceDraft | null): readonly Key[] =>
  draft === null
    ? []
    : [
        { table: 'resource', id: operationId, fresh: true },
        ...draft.items.map(
          (_, place) => ({ table: 'batchItem', id: batchItemId(operationId, place), fresh: true }) as const,
        ),
        ...treeKeys(operationId, draft.files),
      ];

/** Bytes of the record's own content and of the files that it begins with; null where its kind does not count. */
const bytesOfDraft = ({ kind, displayName, publicFields: shown, work, files = [] }: ResourceDraft): number | null =>
  isCountedKind(kind)
    ? files.reduce((sum, { sizeBytes }) => sum + sizeBytes, jsonBytes([displayName, shown, work]))
    : null;

/** What a new resource counts against the quotas of its project. */
export const usageOfDraft = (draft: ResourceDraft | null): Usage =>
  draft === null ? noUsage : usageOfResource({ kind: draft.kind, keptBytes: bytesOfDraft(draft) });

const itemRecord = (operation: OperationRecord, key: string, place: number): BatchItemRecord => ({
  id: batchItemId(operation.id, place),
  batchId: operation.id,
  place,
  key,
  state: 'waiting',
  usage: null,
  attempts: [],
  errorCode: null,
  answer: null,
  answerBytes: 0,
  updatedAtMs: operation.createdAtMs,
});

const resourceRecord = (operation: OperationRecord, draft: ResourceDraft): ResourceRecord => {
  const { id, projectId, accountId, keyId, model, createdAtMs } = operation;
  const expiresAtMs = draft.expiresAfterMs === null ? null : createdAtMs + draft.expiresAfterMs;
  return {
    id,
    kind: draft.kind,
    projectId,
    accountId,
    keyId,
    model,
    displayName: draft.displayName,
    listing: listingOf(projectId, draft.kind),
    parent: draft.parent,
    availability: draft.availability,
    publicFields: draft.publicFields,
    work: draft.work,
    keptBytes: bytesOfDraft(draft),
    uses: 0,
    expiresAtMs,
    owner: null,
    dueAtMs: expiresAtMs,
    createdAtMs,
    updatedAtMs: createdAtMs,
    deletedAtMs: null,
  };
};

/** Registers the resource, and the items of a batch, beside their operation. */
export const draftWrites = (
  records: Records,
  operation: OperationRecord,
  draft: ResourceDraft | null,
): readonly Write[] =>
  draft === null
    ? []
    : [
        { kind: 'put', table: 'resource', record: resourceRecord(operation, draft) },
        ...draft.items.map(
          ({ key }, place) => ({ kind: 'put', table: 'batchItem', record: itemRecord(operation, key, place) }) as const,
        ),
        ...treeWrites(records, operation, draft.files),
      ];

export const useKeys = (operationId: string, uses: readonly ResourceUse[]): readonly Key[] =>
  uses.flatMap(({ id, whenCompleted }) => [
    { table: 'resource', id } as const,
    ...(whenCompleted === true ? [{ table: 'operation', id } as const] : []),
    { table: 'resourceUse', id: useId(id, operationId), fresh: true } as const,
  ]);

const refuseModel = (resource: ResourceRecord, { model }: ResourceUse): ErrorCode | null =>
  model === null || model === resource.model ? null : 'invalid_request';

const canExpire = (kind: ResourceKind): boolean => {
  const states: readonly ResourceState[] = statesByKind[kind];
  return states.includes('expired');
};

const refuseUse = (records: Records, projectId: string, use: ResourceUse, nowMs: number): ErrorCode | null => {
  const resource = records.get('resource', use.id);
  if (resource === undefined || resource.projectId !== projectId || resource.kind !== use.kind) return 'not_found';
  // It has expired, although that is not recorded yet. Of kinds that never expire it is only the time of their media.
  if (canExpire(use.kind) && resource.expiresAtMs !== null && resource.expiresAtMs <= nowMs) return 'not_found';
  switch (resource.availability) {
    case 'deleted':
    case 'expired':
      return 'not_found';
    case 'follows':
      if (use.whenCompleted !== true) return 'request_in_progress';
      return refuseUnfinished(records.get('operation', use.id)?.state) ?? refuseModel(resource, use);
    case 'active':
    case 'requires_action':
      return refuseModel(resource, use);
  }
};

/** Why one of the resources cannot be used now, or null. */
export const refuseUses = (
  records: Records,
  projectId: string,
  uses: readonly ResourceUse[],
  nowMs: number,
): ErrorCode | null => {
  for (const use of uses) {
    const refused = refuseUse(records, projectId, use, nowMs);
    if (refused !== null) return refused;
  }
  return null;
};

/** A sweep that had found it expired meanwhile has lost its claim. */
const keptFrom = (nowMs: number, keptMs: number | undefined): Partial<ResourceRecord> =>
  keptMs === undefined ? {} : { owner: null, expiresAtMs: nowMs + keptMs, dueAtMs: nowMs + keptMs };

/** Notes each use beside the resource and raises its count, so that a deletion under way is decided again. */
export const useWrites = (
  records: Records,
  operation: OperationRecord,
  uses: readonly ResourceUse[],
): readonly Write[] =>
  uses.flatMap(({ id, keptMs }): readonly Write[] => {
    const resource = records.get('resource', id);
    if (resource === undefined) return [];
    const { id: operationId, createdAtMs } = operation;
    return [
      {
        kind: 'put',
        table: 'resource',
        record: { ...resource, uses: resource.uses + 1, ...keptFrom(createdAtMs, keptMs) },
      },
      {
        kind: 'put',
        table: 'resourceUse',
        record: {
          id: useId(id, operationId),
          resourceId: id,
          operationId,
          owner: null,
          dueAtMs: createdAtMs + useLookMs,
          createdAtMs,
        },
      },
    ];
  });
