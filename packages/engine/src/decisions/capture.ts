import type { OperationRecord, Records, WalletRecord, Write } from '@tollgate/storage';
import { balanceEventWrites, hostEventKeys, type HostEvents } from './host-event.ts';
import { findOperation } from './settle.ts';
import { spendKeys, spendWrites, type CountedSpends } from './spend.ts';
import type { Step } from './step.ts';
import { changeWallet, debitEntry, walletWithEntry } from './wallet.ts';
import { captureLineKey, captureLineWrite } from './usage-line.ts';

export interface CaptureCommand extends CountedSpends {
  readonly operationId: string;
  readonly accountId: string;
  /** Counts the captures of the operation from 1; one already made is not made again. */
  readonly sequence: number;
  readonly amountMicros: bigint;
  /** Tells functions of the host. */
  readonly hostEvents?: HostEvents | undefined;
}

export type CaptureAnswer =
  | { readonly kind: 'captured'; readonly operation: OperationRecord; readonly walletSeq: number }
  /** The hold does not cover it: extend first. */
  | { readonly kind: 'insufficient' }
  | { readonly kind: 'ended' };

/** The debit, the hold that is left, the counters of both, and the events of the balance. */
const captureWrites = (
  records: Records,
  { operation, wallet }: { readonly operation: OperationRecord; readonly wallet: WalletRecord },
  command: CaptureCommand,
  nowMs: number,
): { readonly writes: readonly Write[]; readonly answer: CaptureAnswer } => {
  const { amountMicros } = command;
  const paid = walletWithEntry(
    changeWallet(wallet, { balanceMicros: -amountMicros, reservedMicros: -amountMicros }),
    debitEntry(operation, amountMicros, nowMs),
  );
  const captured: OperationRecord = {
    ...operation,
    holdMicros: operation.holdMicros - amountMicros,
    chargedMicros: operation.chargedMicros + amountMicros,
    captures: command.sequence,
    updatedAtMs: nowMs,
  };
  const change = { before: wallet, after: paid.wallet, nowMs, operation: captured };
  return {
    writes: [
      ...paid.writes,
      { kind: 'put', table: 'operation', record: captured },
      captureLineWrite(captured, command, nowMs),
      ...spendWrites(records, operation, captured),
      ...balanceEventWrites(records, command.hostEvents, change),
    ],
    answer: { kind: 'captured', operation: captured, walletSeq: paid.wallet.seq },
  };
};

/** Turns part of the hold into a debit while the operation goes on. Repeatable by operation and sequence. */
export const capture = (command: CaptureCommand): Step<CaptureAnswer> => ({
  keys: [
    { table: 'operation', id: command.operationId },
    { table: 'wallet', id: command.accountId },
    captureLineKey(command.operationId, command.sequence),
    ...hostEventKeys(command.hostEvents, ['low_balance', 'threshold'], command.accountId),
    ...spendKeys(command),
  ],
  decide: (records, nowMs) => {
    const found = findOperation(records, command);
    if (found === null) return { writes: [], answer: { kind: 'ended' } };
    const { operation, wallet } = found;
    if (command.sequence <= operation.captures)
      return { writes: [], answer: { kind: 'captured', operation, walletSeq: wallet.seq } };
    const running = operation.state === 'processing' || operation.state === 'cancelling';
    if (!running || command.sequence !== operation.captures + 1 || command.amountMicros <= 0n)
      return { writes: [], answer: { kind: 'ended' } };
    if (command.amountMicros > operation.holdMicros) return { writes: [], answer: { kind: 'insufficient' } };
    return captureWrites(records, found, command, nowMs);
  },
});
