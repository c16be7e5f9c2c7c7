import type { Decide, Key, OperationRecord, Write } from '@tollgate/storage';
import { isEnded, isResourceKind } from '@tollgate/contract';

export interface RenewCommand {
  readonly operationIds: readonly string[];
  readonly owner: string;
  readonly leaseMs: number;
}

export const renewKeys = (command: RenewCommand): readonly Key[] =>
  command.operationIds.map((id) => ({ table: 'operation', id }) as const);

/** Claims of a sweep begin with this; who is still at work may take the lease back from it. */
export const sweepOwnerPrefix = 'sweep:';

/** Work that another process has taken charge of for good is not taken back from it. */
const isForeign = ({ kind, owner }: OperationRecord, own: string): boolean =>
  isResourceKind(kind) &&
  owner !== null &&
  owner !== own &&
  !owner.startsWith(`${own}/`) &&
  !owner.startsWith(sweepOwnerPrefix);

/** Lengthens the leases of running operations, all in one step; answers which are no longer running. */
export const decideRenew =
  (command: RenewCommand): Decide<{ readonly lost: readonly string[] }> =>
  (records, nowMs) => {
    const writes: Write[] = [];
    const lost: string[] = [];
    for (const id of command.operationIds) {
      const operation = records.get('operation', id);
      const over = operation === undefined || isEnded(operation.state) || operation.state === 'uncertain';
      if (over || isForeign(operation, command.owner)) lost.push(id);
      else
        writes.push({
          kind: 'put',
          table: 'operation',
          record: { ...operation, owner: command.owner, dueAtMs: nowMs + command.leaseMs },
        });
    }
    return { writes, answer: { lost } };
  };
