import type { Key, OperationRecord, ResourceRecord, Write } from '@tollgate/storage';
import { uncountKeys, uncountWrites, type Uncounted } from './parent-count.ts';
import type { Step } from './step.ts';
import { usageChange, usageKey, usageOfResource, usageWrites } from './quotas.ts';

export interface EndResourceCommand {
  readonly resourceId: string;
  readonly availability: 'deleted' | 'expired';
  /** Uses counted when it was checked: more of them mean that the look is out of date. */
  readonly uses: number;
  /** How long the record is kept, counted from its creation. */
  readonly recordKeptMs: number;
  /** Null ends it in any worker's hands; else only while this claim on the row stands. */
  readonly claimedBy: string | null;
  /** What it is and belongs to, where its end changes the count of its parent. */
  readonly uncounted: Uncounted | null;
}

export type EndResourceAnswer =
  | { readonly kind: 'ended'; readonly operation: OperationRecord; readonly resource: ResourceRecord }
  /** Its execution has not ended. */
  | { readonly kind: 'pending' }
  /** Another operation began to use it meanwhile: decide again on fresh records. */
  | { readonly kind: 'used' }
  | { readonly kind: 'missing' };

const endResourceKeys = ({ resourceId, uncounted }: EndResourceCommand): readonly Key[] => [
  { table: 'operation', id: resourceId },
  { table: 'resource', id: resourceId },
  ...uncountKeys(uncounted),
];

/** Deletes or expires a resource whose execution is over. Nothing is refunded, and its billing record stays. */
export const endResource = (command: EndResourceCommand): Step<EndResourceAnswer> => ({
  keys: endResourceKeys(command),
  decide: (records, nowMs) => {
    const operation = records.get('operation', command.resourceId);
    const resource = records.get('resource', command.resourceId);
    if (operation === undefined || resource === undefined || resource.availability === 'deleted')
      return { writes: [], answer: { kind: 'missing' } };
    if (command.claimedBy !== null && resource.owner !== command.claimedBy)
      return { writes: [], answer: { kind: 'missing' } };
    if (operation.endedAtMs === null) return { writes: [], answer: { kind: 'pending' } };
    if (resource.uses !== command.uses) return { writes: [], answer: { kind: 'used' } };
    const ended: ResourceRecord = {
      ...resource,
      availability: command.availability,
      owner: null,
      // What lies outside of the record is removed by the worker that claims it next.
      dueAtMs: nowMs,
      updatedAtMs: nowMs,
      deletedAtMs: command.availability === 'deleted' ? nowMs : resource.deletedAtMs,
    };
    const removeAtMs = Math.max(nowMs, operation.createdAtMs + command.recordKeptMs);
    const writes: Write[] = [
      { kind: 'put', table: 'resource', record: ended },
      ...uncountWrites(records, command.uncounted),
    ];
    // The record of a usable resource is kept as long as it is; from now on it ages as any other.
    const aging = operation.dueAtMs === null ? { ...operation, dueAtMs: removeAtMs } : operation;
    if (aging !== operation) writes.push({ kind: 'put', table: 'operation', record: aging });
    return { writes, answer: { kind: 'ended', operation: aging, resource: ended } };
  },
});

export interface EndEarlyCommand {
  readonly resourceId: string;
  /** Uses counted when it was checked: more of them mean that the look is out of date. */
  readonly uses: number;
  /** Who settles it from here on. */
  readonly owner: string;
  readonly leaseMs: number;
}

export type EndEarlyAnswer =
  /** It can be used no more, and is this owner's to settle. */
  | { readonly kind: 'ending'; readonly operation: OperationRecord }
  /** It is not usable yet or no more, or in a worker's hands. */
  | { readonly kind: 'pending' }
  /** Another operation began to use it meanwhile: read it again. */
  | { readonly kind: 'used' };

const endEarlyKeys = ({ resourceId }: EndEarlyCommand): readonly Key[] => [
  { table: 'operation', id: resourceId },
  { table: 'resource', id: resourceId },
];

const withEnd = (work: unknown, endedAtMs: number): unknown =>
  typeof work === 'object' && work !== null ? { ...work, endedAtMs } : work;

/**
 * Ends a resource whose operation is open as long as it is usable, by the clock of the storage: after this step no
 * operation can begin to use it, and the owner that settles it, this one or the next after its death, finds when it ended.
 */
export const endEarly = (command: EndEarlyCommand): Step<EndEarlyAnswer> => ({
  keys: endEarlyKeys(command),
  decide: (records, nowMs) => {
    const operation = records.get('operation', command.resourceId);
    const resource = records.get('resource', command.resourceId);
    if (operation?.state !== 'processing' || resource?.availability !== 'active')
      return { writes: [], answer: { kind: 'pending' } };
    // In a worker's hands it is expiring.
    if (operation.owner !== null) return { writes: [], answer: { kind: 'pending' } };
    if (resource.uses !== command.uses) return { writes: [], answer: { kind: 'used' } };
    const taken = { ...operation, owner: command.owner, dueAtMs: nowMs + command.leaseMs, updatedAtMs: nowMs };
    return {
      writes: [
        { kind: 'put', table: 'operation', record: taken },
        {
          kind: 'put',
          table: 'resource',
          record: { ...resource, availability: 'follows', work: withEnd(resource.work, nowMs), updatedAtMs: nowMs },
        },
      ],
      answer: { kind: 'ending', operation: taken },
    };
  },
});

export interface FadeResourceCommand {
  readonly resourceId: string;
  readonly projectId: string;
  /** The claim under which its time was checked. */
  readonly claimedBy: string | null;
  readonly work: unknown;
  /** Bytes of the blobs that are left; null where none are. */
  readonly keptBytes: number | null;
  readonly dueAfterMs: number | null;
}

const fadeResourceKeys = ({ resourceId, projectId }: FadeResourceCommand): readonly Key[] => [
  { table: 'resource', id: resourceId },
  usageKey(projectId),
];

/** One that was closed before its kind counted goes on without a count. */
const leftBytes = ({ keptBytes }: ResourceRecord, left: number | null): number | null =>
  keptBytes === null ? null : left;

/** Notes what is left of a resource whose parts have different times, and counts as much; where it stands does not change. */
export const fadeResource = (command: FadeResourceCommand): Step<boolean> => ({
  keys: fadeResourceKeys(command),
  decide: (records, nowMs) => {
    const resource = records.get('resource', command.resourceId);
    // Deleted meanwhile, it is due for another reason.
    if (resource === undefined || resource.owner !== command.claimedBy || resource.deletedAtMs !== null)
      return { writes: [], answer: false };
    const dueAtMs = command.dueAfterMs === null ? null : nowMs + command.dueAfterMs;
    const keptBytes = leftBytes(resource, command.keptBytes);
    const record = { ...resource, work: command.work, keptBytes, owner: null, dueAtMs };
    const change = usageChange(usageOfResource(resource), usageOfResource(record));
    const counted = usageWrites(records, command.projectId, change);
    return { writes: [{ kind: 'put', table: 'resource', record }, ...counted], answer: true };
  },
});

export interface ClearResourceCommand {
  readonly resourceId: string;
  readonly projectId: string;
  /** The claim under which what lay outside was removed. */
  readonly claimedBy: string | null;
}

const clearResourceKeys = ({ resourceId, projectId }: ClearResourceCommand): readonly Key[] => [
  { table: 'resource', id: resourceId },
  usageKey(projectId),
];

/** Notes that nothing lies outside of the record any more, so that it counts no more. */
export const clearResource = (command: ClearResourceCommand): Step<boolean> => ({
  keys: clearResourceKeys(command),
  decide: (records) => {
    const resource = records.get('resource', command.resourceId);
    if (resource === undefined || resource.owner !== command.claimedBy) return { writes: [], answer: false };
    const record = { ...resource, work: null, keptBytes: null, owner: null, dueAtMs: null };
    const counted = usageWrites(records, command.projectId, usageChange(usageOfResource(resource), {}));
    return { writes: [{ kind: 'put', table: 'resource', record }, ...counted], answer: true };
  },
});
