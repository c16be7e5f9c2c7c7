import type { ResourceAvailability } from '@tollgate/contract';
import type { Key, OperationRecord, Records, ResourceRecord, Write } from '@tollgate/storage';
import { publicFieldsOf } from './stored-values.ts';
import { dropBlobWrites, takeBlobWrites } from './guard-blobs.ts';
import { usageChange, usageOfResource, usageWrites } from './quotas.ts';

/** What becomes of a resource once its operation is settled. */
export interface ResourceClosing {
  readonly availability: ResourceAvailability;
  /** Members of the public record that change. */
  readonly publicFields: Readonly<Record<string, unknown>>;
  /** What is needed of the work afterwards, such as where its media lie; null where nothing is. */
  readonly work: unknown;
  /** Counted from the settlement; null keeps the resource until it is deleted. */
  readonly expiresAfterMs: number | null;
  /** Counted from the settlement: when its kind is to look at it, where that is not when it expires. */
  readonly dueAfterMs?: number;
  /** Blobs without an owner that belong to the resource from this step on. */
  readonly blobs?: readonly string[];
  /** Bytes of the blobs that it keeps, which count against the quota of its project; absent where its kind does not count. */
  readonly keptBytes?: number;
  /** Guarded blobs that are not needed from this step on. */
  readonly dropped?: readonly string[];
}

interface ClosingWork {
  readonly closing: ResourceClosing;
}

const hasClosing = (work: unknown): work is ClosingWork =>
  typeof work === 'object' && work !== null && 'closing' in work;

const closed = (resource: ResourceRecord, closing: ResourceClosing, nowMs: number): ResourceRecord => {
  const over = closing.availability === 'expired' || closing.availability === 'deleted';
  // What ends keeps the time that it was given.
  const kept = over ? resource.expiresAtMs : null;
  const expiresAtMs = closing.expiresAfterMs === null ? kept : nowMs + closing.expiresAfterMs;
  const lookAtMs = closing.dueAfterMs === undefined ? expiresAtMs : nowMs + closing.dueAfterMs;
  return {
    ...resource,
    availability: closing.availability,
    publicFields: { ...publicFieldsOf(resource), ...closing.publicFields },
    work: closing.work,
    keptBytes: closing.keptBytes ?? resource.keptBytes,
    expiresAtMs,
    owner: null,
    dueAtMs: over ? nowMs : lookAtMs,
    updatedAtMs: nowMs,
    deletedAtMs: closing.availability === 'deleted' ? nowMs : null,
  };
};

/** What the step that closes a resource must see beside its operation. */
export const closeResourceKeys = (operationId: string, closing: ResourceClosing | null | undefined): readonly Key[] => [
  { table: 'resource', id: operationId },
  ...[...(closing?.blobs ?? []), ...(closing?.dropped ?? [])].map((id) => ({ table: 'pendingBlob', id }) as const),
];

/**
 * Closes the resource in the step that settles its operation. Where the settlement has to wait, what is to become of the
 * resource is kept until then. What was paid for is kept in any case: it counts, and no quota refuses it.
 */
export const closeResourceWrites = (
  records: Records,
  operation: OperationRecord,
  given: ResourceClosing | null,
  nowMs: number,
): readonly Write[] => {
  const resource = records.get('resource', operation.id);
  if (resource === undefined) return [];
  const closing = given ?? (hasClosing(resource.work) ? resource.work.closing : null);
  if (closing === null) return [];
  const record =
    operation.state === 'completed'
      ? closed(resource, closing, nowMs)
      : { ...resource, work: { closing }, updatedAtMs: nowMs };
  return [
    { kind: 'put', table: 'resource', record },
    ...usageWrites(records, record.projectId, usageChange(usageOfResource(resource), usageOfResource(record))),
    ...takeBlobWrites(records, given?.blobs ?? []),
    ...dropBlobWrites(records, given?.dropped ?? [], nowMs),
  ];
};
