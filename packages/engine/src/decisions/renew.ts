import type { Decide, Key, Write } from '@tollgate/storage';
import { isEnded } from '@tollgate/contract';

export interface RenewCommand {
  readonly operationIds: readonly string[];
  readonly owner: string;
  readonly leaseMs: number;
}

export const renewKeys = (command: RenewCommand): readonly Key[] =>
  command.operationIds.map((id) => ({ table: 'operation', id }) as const);

/** Lengthens the leases of running operations, all in one step; answers which are no longer running. */
export const decideRenew =
  (command: RenewCommand): Decide<{ readonly lost: readonly string[] }> =>
  (records, nowMs) => {
    const writes: Write[] = [];
    const lost: string[] = [];
    for (const id of command.operationIds) {
      const operation = records.get('operation', id);
      if (operation === undefined || isEnded(operation.state) || operation.state === 'uncertain') lost.push(id);
      else
        writes.push({
          kind: 'put',
          table: 'operation',
          record: { ...operation, owner: command.owner, dueAtMs: nowMs + command.leaseMs },
        });
    }
    return { writes, answer: { lost } };
  };
