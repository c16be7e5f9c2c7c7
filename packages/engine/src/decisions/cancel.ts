import type { Decide, OperationRecord } from '@tollgate/storage';
import { moveThrough } from './move.ts';
import { outboxEventKeys, outboxEventWrites, type OutboxEvent } from './outbox-event.ts';
import { findOperation } from './settle.ts';
import { spendKeys, spendWrites, type CountedSpends } from './spend.ts';
import type { Step } from './step.ts';
import { underWayKeys, underWayWrites, type CountedUnderWay } from './under-way.ts';
import { changeWallet } from './wallet.ts';

export interface CancelCommand extends CountedUnderWay, CountedSpends {
  readonly operationId: string;
  readonly accountId: string;
  /** How long the record and its identity are kept. */
  readonly recordKeptMs: number;
  /** The wallet is the host's: its ledger releases the hold afterwards. */
  readonly hostLedger: boolean;
  /** Tells the project's webhooks. */
  readonly outboxEvent?: OutboxEvent;
}

export type CancelAnswer =
  /** Never handed over: it is over, and its hold is free. */
  | { readonly kind: 'failed'; readonly operation: OperationRecord }
  /** The worker stops as soon as it can. */
  | { readonly kind: 'cancelling'; readonly operation: OperationRecord }
  /** It was over, or on its way there: nothing changed. */
  | { readonly kind: 'unchanged'; readonly operation: OperationRecord }
  | { readonly kind: 'missing' };

const failUnstarted = (operation: OperationRecord, command: CancelCommand, nowMs: number): OperationRecord =>
  moveThrough(operation, ['failed'], {
    holdMicros: 0n,
    errorCode: 'cancelled',
    owner: null,
    dueAtMs: operation.createdAtMs + command.recordKeptMs,
    updatedAtMs: nowMs,
    endedAtMs: nowMs,
  });

// resources:cancel:*
/** Cancels what can still be cancelled. What was consumed before stays charged. */
export const cancel = (command: CancelCommand): Step<CancelAnswer> => ({
  keys: [
    { table: 'operation', id: command.operationId },
    { table: 'wallet', id: command.accountId },
    ...outboxEventKeys(command.operationId, command.outboxEvent),
    ...underWayKeys(command),
    ...spendKeys(command),
  ],
  decide: (records, nowMs) => {
    const found = findOperation(records, command);
    if (found === null) return { writes: [], answer: { kind: 'missing' } };
    const { operation, wallet } = found;
    switch (operation.state) {
      case 'reserved': {
        if (command.hostLedger) return cancelRunning(operation, nowMs);
        const freed = changeWallet(wallet, { reservedMicros: -operation.holdMicros });
        const failed = failUnstarted(operation, command, nowMs);
        return {
          writes: [
            { kind: 'put', table: 'wallet', record: freed },
            { kind: 'put', table: 'operation', record: failed },
            ...outboxEventWrites(records, failed, command.outboxEvent, nowMs),
            ...underWayWrites(records, operation, failed),
            ...spendWrites(records, operation, failed),
          ],
          answer: { kind: 'failed', operation: failed },
        };
      }
      case 'processing':
        return cancelRunning(operation, nowMs);
      case 'preparing':
      case 'cancelling':
      case 'settling':
      case 'uncertain':
      case 'completed':
      case 'failed':
        return { writes: [], answer: { kind: 'unchanged', operation } };
    }
  },
});

/** Work that waits for its next turn is due now; a running turn reads the cancellation in its record. */
const cancelRunning = (operation: OperationRecord, nowMs: number): ReturnType<Decide<CancelAnswer>> => {
  const dueAtMs = operation.owner === null ? nowMs : operation.dueAtMs;
  const cancelling = moveThrough(operation, ['cancelling'], { dueAtMs, updatedAtMs: nowMs });
  return {
    writes: [{ kind: 'put', table: 'operation', record: cancelling }],
    answer: { kind: 'cancelling', operation: cancelling },
  };
};
