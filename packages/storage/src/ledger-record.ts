/** An append-only line of an account's ledger (`id` is `<accountId>:<seq>`). The sum of an account's entries is its balance. */
export interface EntryRecord {
  readonly id: string;
  readonly accountId: string;
  /** Gap-free from 1 within the account. */
  readonly seq: number;
  readonly kind: 'deposit' | 'debit' | 'compensation';
  /** Signed: deposits add, debits are negative, a compensation is either. */
  readonly amountMicros: bigint;
  readonly operationId: string | null;
  readonly tariffVersion: string | null;
  /** The caller's name for a deposit or compensation; repeating it changes nothing. */
  readonly reference: string | null;
  /** The balance after this entry: a statement needs no sum of all that came before. */
  readonly balanceMicros: bigint;
  /** Of a debit: the key and the model of its operation, whose record goes before its entries do. */
  readonly keyId: string | null;
  readonly model: string | null;
  /** The wallet's `seq` after this entry. */
  readonly walletSeq: number;
  readonly createdAtMs: number;
}

/** `id` is account and reference: makes a deposit or compensation repeatable. */
export interface DepositRecord {
  readonly id: string;
  readonly entryId: string;
  readonly amountMicros: bigint;
}

/** A price list as it was when operations were opened under it (`id` is its version). Never edited. */
export interface TariffRecord {
  readonly id: string;
  readonly body: unknown;
  readonly createdAtMs: number;
}

/** Something that should not have happened and changed no money, kept for the operator. */
export interface AnomalyRecord {
  readonly id: string;
  readonly operationId: string;
  readonly accountId: string;
  readonly code: string;
  readonly detail: unknown;
  readonly createdAtMs: number;
}

/** A value that all processes on one storage share, such as the secret that seals `context`. */
export interface SettingRecord {
  readonly id: string;
  readonly value: string;
}
