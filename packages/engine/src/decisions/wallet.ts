import type { EntryRecord, OperationRecord, WalletRecord, Write } from '@tollgate/storage';

/** What other operations may still reserve or spend. */
export const availableMicros = (wallet: WalletRecord): bigint => wallet.balanceMicros - wallet.reservedMicros;

/** A wallet as it is before the first deposit. */
export const emptyWallet = (accountId: string): WalletRecord => ({
  id: accountId,
  balanceMicros: 0n,
  reservedMicros: 0n,
  seq: 0,
  entrySeq: 0,
  remainderPicos: 0,
  purgedPicos: 0,
});

export interface WalletChange {
  readonly balanceMicros?: bigint;
  readonly reservedMicros?: bigint;
  /** What is carried to the next operation. */
  readonly remainderPicos?: number;
}

/** Applies a change of sums. The invariant is asserted here, once for every command. */
export const changeWallet = (wallet: WalletRecord, change: WalletChange): WalletRecord => {
  const balanceMicros = wallet.balanceMicros + (change.balanceMicros ?? 0n);
  const reservedMicros = wallet.reservedMicros + (change.reservedMicros ?? 0n);
  if (reservedMicros < 0n || reservedMicros > balanceMicros)
    throw new Error(`wallet ${wallet.id} would break 0 ≤ reserved ≤ balance`);
  const remainderPicos = wallet.remainderPicos + (change.remainderPicos ?? 0);
  return { ...wallet, balanceMicros, reservedMicros, remainderPicos, seq: wallet.seq + 1 };
};

export type EntryInput = Pick<
  EntryRecord,
  'kind' | 'amountMicros' | 'operationId' | 'tariffVersion' | 'reference' | 'keyId' | 'model' | 'createdAtMs'
>;

/** The entry of a debit, which names what it pays for. */
export const debitEntry = (operation: OperationRecord, amountMicros: bigint, createdAtMs: number): EntryInput => ({
  kind: 'debit',
  amountMicros: -amountMicros,
  operationId: operation.id,
  tariffVersion: operation.tariffVersion,
  reference: operation.verdict?.reference ?? null,
  keyId: operation.keyId,
  model: operation.model,
  createdAtMs,
});

/** The writes of a changed wallet with the entry that explains its balance. */
export const walletWithEntry = (
  wallet: WalletRecord,
  entry: EntryInput,
): { readonly wallet: WalletRecord; readonly writes: readonly Write[]; readonly entryId: string } => {
  const seq = wallet.entrySeq + 1;
  const entryId = `${wallet.id}:${seq}`;
  const numbered = { ...wallet, entrySeq: seq };
  return {
    wallet: numbered,
    entryId,
    writes: [
      { kind: 'put', table: 'wallet', record: numbered },
      {
        kind: 'append',
        table: 'entry',
        record: {
          id: entryId,
          accountId: wallet.id,
          seq,
          balanceMicros: wallet.balanceMicros,
          walletSeq: wallet.seq,
          ...entry,
        },
      },
    ],
  };
};
