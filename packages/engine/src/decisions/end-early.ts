import type { Decide, Key, OperationRecord } from '@tollgate/storage';

export interface EndEarlyCommand {
  readonly resourceId: string;
  /** Uses counted when it was looked at: more of them mean that the look is out of date. */
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
  /** Somebody began to use it meanwhile: look again. */
  | { readonly kind: 'used' };

export const endEarlyKeys = ({ resourceId }: EndEarlyCommand): readonly Key[] => [
  { table: 'operation', id: resourceId },
  { table: 'resource', id: resourceId },
];

const withEnd = (work: unknown, endedAtMs: number): unknown =>
  typeof work === 'object' && work !== null ? { ...work, endedAtMs } : work;

/**
 * Ends a resource whose operation is open as long as it is usable, by the clock of the storage: from this step on nobody begins to
 * use it, and whoever settles it, this owner or another after its death, finds when it ended.
 */
export const decideEndEarly =
  (command: EndEarlyCommand): Decide<EndEarlyAnswer> =>
  (records, nowMs) => {
    const operation = records.get('operation', command.resourceId);
    const resource = records.get('resource', command.resourceId);
    if (operation?.state !== 'processing' || resource?.standing !== 'active')
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
          record: { ...resource, standing: 'follows', work: withEnd(resource.work, nowMs), updatedAtMs: nowMs },
        },
      ],
      answer: { kind: 'ending', operation: taken },
    };
  };
