import type { AttemptRecord, Key, OperationRecord } from '@tollgate/storage';
import { hostEventKeys, type HostEvents } from './host-event.ts';
import { moveThrough } from './move.ts';
import { outboxEventKeys, outboxEventWrites, type OutboxEvent } from './outbox-event.ts';
import { anomalyKey, anomalyWrites } from './anomaly.ts';
import { findOperation } from './settle.ts';
import { spendKeys, spendWrites, type CountedSpends } from './spend.ts';
import type { Step } from './step.ts';
import { underWayKeys, underWayWrites, type CountedUnderWay } from './under-way.ts';
import type { VerdictDraft } from './verdict.ts';
import { changeWallet } from './wallet.ts';

export interface FailCommand extends CountedUnderWay, CountedSpends {
  readonly operationId: string;
  readonly accountId: string;
  readonly errorCode: string;
  /** Null keeps what is stored. */
  readonly attempts: readonly AttemptRecord[] | null;
  /** How long the record and its identity are kept. */
  readonly recordKeptMs: number;
  readonly anomalyId: string;
  /** Only if this owner still has the lease; without it any owner. */
  readonly owner?: string;
  /** Present where an operator decided it, and no provider reported it. */
  readonly verdict?: VerdictDraft;
  /** Tells the project's webhooks. */
  readonly outboxEvent?: OutboxEvent;
  /** Tells functions of the host. */
  readonly hostEvents?: HostEvents | undefined;
}

export type FailAnswer =
  | { readonly kind: 'failed'; readonly operation: OperationRecord; readonly walletSeq: number }
  | { readonly kind: 'ended'; readonly operation: OperationRecord }
  // ledger:failed:never-with-debit
  /** Part of it was debited, so it can only be settled. */
  | { readonly kind: 'captured'; readonly operation: OperationRecord }
  /** It is in other hands, which may have handed it over. */
  | { readonly kind: 'lost'; readonly operation: OperationRecord }
  | { readonly kind: 'missing' };

const failKeys = (command: FailCommand): readonly Key[] => [
  { table: 'operation', id: command.operationId },
  { table: 'wallet', id: command.accountId },
  anomalyKey(command.anomalyId),
  ...outboxEventKeys(command.operationId, command.outboxEvent),
  ...hostEventKeys(command.hostEvents, ['anomaly']),
  ...underWayKeys(command),
  ...spendKeys(command),
];

/** When retention takes up an operation that failed. What a client was sent of an answer that is not charged goes with the next sweep. */
export const failedDueAtMs = (
  { answer, createdAtMs }: Pick<OperationRecord, 'answer' | 'createdAtMs'>,
  recordKeptMs: number,
  nowMs: number,
): number => (answer === 'partial' ? nowMs : createdAtMs + recordKeptMs);

const failedOperation = (operation: OperationRecord, command: FailCommand, nowMs: number): OperationRecord =>
  moveThrough(operation, ['failed'], {
    holdMicros: 0n,
    pendingMicros: null,
    carriedPicos: 0,
    errorCode: command.errorCode,
    attempts: command.attempts ?? operation.attempts,
    verdict: command.verdict === undefined ? null : { ...command.verdict, decidedAtMs: nowMs },
    owner: null,
    dueAtMs: failedDueAtMs(operation, command.recordKeptMs, nowMs),
    updatedAtMs: nowMs,
    endedAtMs: nowMs,
  });

// ledger:failed:no-debit
/**
 * Only for certain non-execution or a confirmed failure: frees the whole hold and debits nothing.
 */
export const fail = (command: FailCommand): Step<FailAnswer> => ({
  keys: failKeys(command),
  decide: (records, nowMs) => {
    const found = findOperation(records, command);
    if (found === null) return { writes: [], answer: { kind: 'missing' } };
    const { operation, wallet } = found;
    if (operation.state === 'completed' && command.verdict === undefined) {
      const detail = { errorCode: command.errorCode };
      const { anomalyId: id, hostEvents } = command;
      const input = { id, code: 'late_failure_after_settlement', detail, nowMs, hostEvents };
      return { writes: anomalyWrites(records, operation, input), answer: { kind: 'ended', operation } };
    }
    if (operation.endedAtMs !== null) return { writes: [], answer: { kind: 'ended', operation } };
    if (command.owner !== undefined && operation.owner !== command.owner)
      return { writes: [], answer: { kind: 'lost', operation } };
    if (operation.chargedMicros > 0n) return { writes: [], answer: { kind: 'captured', operation } };
    const freed = changeWallet(wallet, { reservedMicros: -operation.holdMicros });
    const failed = failedOperation(operation, command, nowMs);
    return {
      writes: [
        { kind: 'put', table: 'wallet', record: freed },
        { kind: 'put', table: 'operation', record: failed },
        ...outboxEventWrites(records, failed, command.outboxEvent, nowMs),
        ...underWayWrites(records, operation, failed),
        ...spendWrites(records, operation, failed),
      ],
      answer: { kind: 'failed', operation: failed, walletSeq: freed.seq },
    };
  },
});
