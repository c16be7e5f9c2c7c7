import type { Decide, Key, OperationRecord, ResourceRecord, Write } from '@tollgate/storage';
import { uncountKeys, uncountWrites, type Uncounted } from './parent-count.ts';

export interface EndResourceCommand {
  readonly resourceId: string;
  readonly standing: 'deleted' | 'expired';
  /** Uses counted when it was looked at: more of them mean that the look is out of date. */
  readonly uses: number;
  /** How long the record is kept, counted from its creation. */
  readonly recordKeptMs: number;
  /** Null ends it whoever has it; else only while this claim on the row stands. */
  readonly claimedBy: string | null;
  /** What it is and belongs to, where its end is told to the count of its parent. */
  readonly uncounted: Uncounted | null;
}

export type EndResourceAnswer =
  | { readonly kind: 'ended'; readonly operation: OperationRecord; readonly resource: ResourceRecord }
  /** Its execution has not ended. */
  | { readonly kind: 'pending' }
  /** Somebody began to use it meanwhile: look again. */
  | { readonly kind: 'used' }
  | { readonly kind: 'missing' };

export const endResourceKeys = ({ resourceId, uncounted }: EndResourceCommand): readonly Key[] => [
  { table: 'operation', id: resourceId },
  { table: 'resource', id: resourceId },
  ...uncountKeys(uncounted),
];

/** Deletes or expires a resource whose execution is over. Nothing is refunded, and its billing record stays. */
export const decideEndResource =
  (command: EndResourceCommand): Decide<EndResourceAnswer> =>
  (records, nowMs) => {
    const operation = records.get('operation', command.resourceId);
    const resource = records.get('resource', command.resourceId);
    if (operation === undefined || resource === undefined || resource.standing === 'deleted')
      return { writes: [], answer: { kind: 'missing' } };
    if (command.claimedBy !== null && resource.owner !== command.claimedBy)
      return { writes: [], answer: { kind: 'missing' } };
    if (operation.endedAtMs === null) return { writes: [], answer: { kind: 'pending' } };
    if (resource.uses !== command.uses) return { writes: [], answer: { kind: 'used' } };
    const ended: ResourceRecord = {
      ...resource,
      standing: command.standing,
      owner: null,
      // What lies outside of the record is removed by whoever claims it next.
      dueAtMs: nowMs,
      updatedAtMs: nowMs,
      deletedAtMs: command.standing === 'deleted' ? nowMs : resource.deletedAtMs,
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
  };
