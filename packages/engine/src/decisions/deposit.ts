import type { WalletRecord } from '@tollgate/storage';
import { microsMax } from '../ledger/micros.ts';
import type { Step } from './step.ts';
import { availableMicros, changeWallet, emptyWallet, walletWithEntry } from './wallet.ts';

export interface DepositCommand {
  readonly accountId: string;
  /** A deposit adds; a compensation is either, and a negative one takes free balance only. */
  readonly kind: 'deposit' | 'compensation';
  readonly amountMicros: bigint;
  /** The caller's name for it, unique in the account: the same again changes nothing. */
  readonly reference: string;
  /** The operation that a compensation corrects. */
  readonly operationId: string | null;
}

export type DepositAnswer =
  | { readonly kind: 'done' | 'repeated'; readonly wallet: WalletRecord }
  /** The reference was used for another amount. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'insufficient'; readonly wallet: WalletRecord }
  /** The balance would be beyond every amount. */
  | { readonly kind: 'too_large' }
  | { readonly kind: 'missing' };

const depositId = (command: DepositCommand): string => `${command.accountId}:${command.reference}`;

/** Tops up, or corrects by an opposite entry; nothing is ever edited. */
export const depositStep = (command: DepositCommand): Step<DepositAnswer> => ({
  keys: [
    { table: 'account', id: command.accountId },
    { table: 'wallet', id: command.accountId },
    { table: 'deposit', id: depositId(command) },
  ],
  decide: (records, nowMs) => {
    if (records.get('account', command.accountId) === undefined) return { writes: [], answer: { kind: 'missing' } };
    const wallet = records.get('wallet', command.accountId) ?? emptyWallet(command.accountId);
    const earlier = records.get('deposit', depositId(command));
    if (earlier !== undefined) {
      const same = earlier.amountMicros === command.amountMicros;
      return { writes: [], answer: same ? { kind: 'repeated', wallet } : { kind: 'conflict' } };
    }
    if (command.amountMicros < 0n && -command.amountMicros > availableMicros(wallet))
      return { writes: [], answer: { kind: 'insufficient', wallet } };
    if (wallet.balanceMicros + command.amountMicros > microsMax) return { writes: [], answer: { kind: 'too_large' } };
    const done = walletWithEntry(changeWallet(wallet, { balanceMicros: command.amountMicros }), {
      kind: command.kind,
      amountMicros: command.amountMicros,
      operationId: command.operationId,
      tariffVersion: null,
      reference: command.reference,
      keyId: null,
      model: null,
      createdAtMs: nowMs,
    });
    const record = { id: depositId(command), entryId: done.entryId, amountMicros: command.amountMicros };
    return {
      writes: [...done.writes, { kind: 'put', table: 'deposit', record }],
      answer: { kind: 'done', wallet: done.wallet },
    };
  },
});
