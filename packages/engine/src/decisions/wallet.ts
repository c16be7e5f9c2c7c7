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

/** The id of an entry of an account. */
export const entryIdOf = (accountId: string, seq: number): string => `${accountId}:${seq}`;

/** The writes of a changed wallet with the entries that explain its balance. */
export const walletWithEntries = (
  wallet: WalletRecord,
  entries: readonly EntryInput[],
): { readonly wallet: WalletRecord; readonly writes: readonly Write[] } => {
  const { id: accountId, entrySeq, seq: walletSeq } = wallet;
  const numbered = { ...wallet, entrySeq: entrySeq + entries.length };
  const changedMicros = entries.reduce((sum, { amountMicros }) => sum + amountMicros, 0n);
  let balanceMicros = wallet.balanceMicros - changedMicros;
  const appended = entries.map((entry, index): Write => {
    const seq = entrySeq + index + 1;
    balanceMicros += entry.amountMicros;
    const record = { id: entryIdOf(accountId, seq), accountId, seq, balanceMicros, walletSeq, ...entry };
    return { kind: 'append', table: 'entry', record };
  });
  return { wallet: numbered, writes: [{ kind: 'put', table: 'wallet', record: numbered }, ...appended] };
};

/** As `walletWithEntries`, with one entry. */
export const walletWithEntry = (
  wallet: WalletRecord,
  entry: EntryInput,
): { readonly wallet: WalletRecord; readonly writes: readonly Write[]; readonly entryId: string } => ({
  ...walletWithEntries(wallet, [entry]),
  entryId: entryIdOf(wallet.id, wallet.entrySeq + 1),
});
