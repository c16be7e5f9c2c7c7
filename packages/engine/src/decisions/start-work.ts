import type { Key, OperationRecord } from '@tollgate/storage';
import { moveThrough } from './move.ts';
import type { Step } from './step.ts';

export interface StartWorkCommand {
  readonly operationId: string;
  /** Under which the worker claimed it. */
  readonly claimedBy: string;
  /** Under which it renews the lease from now on. */
  readonly owner: string;
  readonly leaseMs: number;
}

export type StartWorkAnswer =
  | { readonly kind: 'started'; readonly operation: OperationRecord }
  /** Another worker has it, or it was decided meanwhile: it must not be worked on. */
  | { readonly kind: 'lost' };

const startWorkKeys = ({ operationId }: StartWorkCommand): readonly Key[] => [{ table: 'operation', id: operationId }];

/**
 * Takes charge of claimed work, before anything is handed to a provider: a compare-and-set that one worker wins. Work that
 * was begun before stays where it is; how to go on is the business of its kind.
 */
export const startWork = (command: StartWorkCommand): Step<StartWorkAnswer> => ({
  keys: startWorkKeys(command),
  decide: (records, nowMs) => {
    const operation = records.get('operation', command.operationId);
    // Sent again after an unconfirmed commit, it finds its own mark.
    const ours = operation?.owner === command.claimedBy || operation?.owner === command.owner;
    if (operation === undefined || operation.endedAtMs !== null || !ours)
      return { writes: [], answer: { kind: 'lost' } };
    const lease = { owner: command.owner, dueAtMs: nowMs + command.leaseMs, updatedAtMs: nowMs };
    switch (operation.state) {
      case 'reserved': {
        const started = moveThrough(operation, ['processing'], lease);
        return {
          writes: [{ kind: 'put', table: 'operation', record: started }],
          answer: { kind: 'started', operation: started },
        };
      }
      case 'processing':
      case 'cancelling': {
        const taken = { ...operation, ...lease };
        return {
          writes: [{ kind: 'put', table: 'operation', record: taken }],
          answer: { kind: 'started', operation: taken },
        };
      }
      case 'preparing':
      case 'settling':
      case 'uncertain':
      case 'completed':
      case 'failed':
        return { writes: [], answer: { kind: 'lost' } };
    }
  },
});
