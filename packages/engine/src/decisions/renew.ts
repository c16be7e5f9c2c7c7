import type { Key, OperationRecord, Write } from '@tollgate/storage';
import { isEnded, isResourceKind } from '@tollgate/contract';
import type { Step } from './step.ts';

export interface RenewCommand {
  /** Each under the name that its lease is held by: a process, or for deferred work one turn of it. */
  readonly operations: readonly { readonly id: string; readonly owner: string }[];
  readonly leaseMs: number;
}

const renewKeys = (command: RenewCommand): readonly Key[] =>
  command.operations.map(({ id }) => ({ table: 'operation', id }) as const);

/** Claims of a sweep begin with this. */
export const sweepOwnerPrefix = 'sweep:';

/**
 * A lease that ran out may be taken back where no other process ever runs the operation. Deferred work goes from hand to hand: since
 * then another turn may have begun, come on and put it off, and nothing but the name of the turn tells.
 */
const isLost = ({ kind, owner, state }: OperationRecord, own: string): boolean =>
  isEnded(state) || state === 'uncertain' || (isResourceKind(kind) && owner !== own);

/** Lengthens the leases of running operations, all in one step; returns which are no longer running, or in other hands. */
export const renew = (command: RenewCommand): Step<{ readonly lost: readonly string[] }> => ({
  keys: renewKeys(command),
  decide: (records, nowMs) => {
    const writes: Write[] = [];
    const lost: string[] = [];
    for (const { id, owner } of command.operations) {
      const operation = records.get('operation', id);
      if (operation === undefined || isLost(operation, owner)) lost.push(id);
      else {
        const renewed = { ...operation, owner, dueAtMs: nowMs + command.leaseMs };
        writes.push({ kind: 'put', table: 'operation', record: renewed });
      }
    }
    return { writes, answer: { lost } };
  },
});
