import type { OperationRecord, UsageRecord } from '@tollgate/storage';
import { findOperation } from './settle.ts';
import { coversMore, spendKeys, spendWrites, type CountedSpends } from './spend.ts';
import type { Step } from './step.ts';
import { availableMicros, changeWallet } from './wallet.ts';

export interface ExtendCommand extends CountedSpends {
  readonly operationId: string;
  readonly accountId: string;
  /** All that is wanted for the operation, parts captured before included and not the difference: repeating it is harmless. */
  readonly holdMicros: bigint;
  /** What was used so far; kept as evidence should the operation never be measured to its end. */
  readonly usage?: readonly UsageRecord[];
}

export type ExtendAnswer =
  | { readonly kind: 'extended'; readonly operation: OperationRecord; readonly walletSeq: number }
  | { readonly kind: 'insufficient'; readonly walletSeq: number }
  | { readonly kind: 'ended' };

/** Raises the hold of a running operation from free balance and within the caps of its caller, or changes nothing. A hold is never lowered here. */
export const extend = (command: ExtendCommand): Step<ExtendAnswer> => ({
  keys: [
    { table: 'operation', id: command.operationId },
    { table: 'wallet', id: command.accountId },
    ...spendKeys(command),
  ],
  decide: (records, nowMs) => {
    const found = findOperation(records, command);
    if (found === null || found.operation.state !== 'processing') return { writes: [], answer: { kind: 'ended' } };
    const { operation, wallet } = found;
    const more = command.holdMicros - operation.chargedMicros - operation.holdMicros;
    const used = command.usage === undefined ? operation : { ...operation, usage: command.usage };
    if (more <= 0n)
      return {
        writes: command.usage === undefined ? [] : [{ kind: 'put', table: 'operation', record: used }],
        answer: { kind: 'extended', operation: used, walletSeq: wallet.seq },
      };
    if (more > availableMicros(wallet) || !coversMore(records, operation, more))
      return { writes: [], answer: { kind: 'insufficient', walletSeq: wallet.seq } };
    const held = changeWallet(wallet, { reservedMicros: more });
    const extended = { ...used, holdMicros: operation.holdMicros + more, updatedAtMs: nowMs };
    return {
      writes: [
        { kind: 'put', table: 'wallet', record: held },
        { kind: 'put', table: 'operation', record: extended },
        ...spendWrites(records, operation, extended),
      ],
      answer: { kind: 'extended', operation: extended, walletSeq: held.seq },
    };
  },
});
