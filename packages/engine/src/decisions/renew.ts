import type { Key, OperationRecord, Write } from '@tollgate/storage';
import { isEnded, isResourceKind } from '@tollgate/contract';
import type { Step } from './step.ts';

export interface RenewCommand {
  /** Each under the name that its lease is held by: a process, or for deferred work one turn of it. */
  readonly operations: readonly { readonly id: string; readonly owner: string }[];
  /** Each for which the host's ledger is asked, under the name of its opening. */
  readonly preparing?: readonly { readonly id: string; readonly owner: string }[];
  readonly leaseMs: number;
}

const renewKeys = ({ operations, preparing = [] }: RenewCommand): readonly Key[] =>
  [...operations, ...preparing].map(({ id }) => ({ table: 'operation', id }) as const);

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
    for (const { id, owner } of command.preparing ?? []) {
      const operation = records.get('operation', id);
      // Once a sweep has taken it the ledger may have freed it; once it was started, its lease is another's concern.
      if (operation?.state !== 'preparing' || operation.owner !== owner) continue;
      writes.push({ kind: 'put', table: 'operation', record: { ...operation, dueAtMs: nowMs + command.leaseMs } });
    }
    return { writes, answer: { lost } };
  },
});
