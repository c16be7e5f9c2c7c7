import type { AccountRecord, BalanceAlertRecord, EntryRecord, IndexCursor, WalletRecord } from '@tollgate/storage';
import type { DepositAnswer } from '../decisions/deposit.ts';
import {
  changeAccount,
  closeAccount,
  createAccount,
  findAccounts,
  listAccounts,
  readAccount,
  readWallet,
  setAccountStatus,
  type AccountChange,
  type AccountInput,
  type ClosedAccount,
} from './accounts.ts';
import { setLowBalance } from './alerts.ts';
import type { Bind } from './bind-methods.ts';
import { compensate, deposit, settlePending, type CompensationInput, type DepositInput } from './deposits.ts';
import type { Page, SearchQuery } from './search.ts';
import { statementCsv, type StatementRange } from './statement-csv.ts';
import { findStatement, readStatement, type StatementQuery } from './statements.ts';

/** Accounts, who pay, and their wallets and entries. */
export interface AccountMethods {
  /**
   * Opens an account with an empty wallet. With an `id` of the host a repeat changes nothing and returns the account.
   */
  readonly createAccount: (input: AccountInput) => Promise<AccountRecord>;
  /** Changes the name, the texts and the status; what is not named stays. Null where there is no such account. */
  readonly changeAccount: (accountId: string, change: AccountChange) => Promise<AccountRecord | null>;
  /** Lets an account in or keeps it out; operations under way go on. Null where there is no such account. */
  readonly setAccountStatus: (accountId: string, status: AccountRecord['status']) => Promise<AccountRecord | null>;
  /** Ends an account for good: nothing new is opened, what runs settles, and the wallet that is left is returned. */
  readonly closeAccount: (accountId: string) => Promise<ClosedAccount | null>;
  /** An account, or null. */
  readonly readAccount: (accountId: string) => Promise<AccountRecord | null>;
  /** A page of the accounts, newest first; `search` keeps those with the text in name, id or metadata. */
  readonly findAccounts: (query?: SearchQuery) => Promise<Page<AccountRecord>>;
  /** The accounts, newest first, up to a hundred behind a place. */
  readonly listAccounts: (after?: IndexCursor) => Promise<readonly AccountRecord[]>;
  /** The balance and what of it is reserved, in micro-credits. Null where there is no such account. */
  readonly readWallet: (accountId: string) => Promise<WalletRecord | null>;
  /** Adds credits; the reference makes it repeatable. Settlements that waited for balance are tried at once. */
  readonly deposit: (input: DepositInput) => Promise<DepositAnswer>;
  /** Sets the balance below which functions of the host hear of the account; null takes the threshold of the gateway. */
  readonly setLowBalance: (accountId: string, lowBalanceMicros: bigint | null) => Promise<BalanceAlertRecord | null>;
  /** Corrects by an opposite entry; a negative amount takes free balance only. The reference makes it repeatable. */
  readonly compensate: (input: CompensationInput) => Promise<DepositAnswer>;
  /**
   * Settles what waited for balance, as far as it fits now, and returns how many: for a host that keeps the wallet.
   */
  readonly settlePending: (accountId: string) => Promise<number>;
  /** A page of the entries in a time, newest first, each with the balance after it, and debits with key and model. */
  readonly findStatement: (query: StatementQuery) => Promise<Page<EntryRecord>>;
  /** The entries in a time as CSV in UTF-8, newest first, read as the reader takes them. */
  readonly statementCsv: (range: StatementRange) => Promise<ReadableStream<Uint8Array>>;
  /** The entries, newest first, up to a hundred before a number. */
  readonly readStatement: (accountId: string, beforeSeq?: number) => Promise<readonly EntryRecord[]>;
}

export const bindAccounts = (bind: Bind): AccountMethods => ({
  createAccount: bind('createAccount', createAccount),
  changeAccount: bind('changeAccount', changeAccount),
  setAccountStatus: bind('setAccountStatus', setAccountStatus),
  closeAccount: bind('closeAccount', closeAccount),
  readAccount: bind('readAccount', readAccount),
  findAccounts: bind('findAccounts', findAccounts),
  listAccounts: bind('listAccounts', listAccounts),
  readWallet: bind('readWallet', readWallet),
  deposit: bind('deposit', deposit),
  setLowBalance: bind('setLowBalance', setLowBalance),
  compensate: bind('compensate', compensate),
  settlePending: bind('settlePending', settlePending),
  findStatement: bind('findStatement', findStatement),
  statementCsv: bind('statementCsv', statementCsv),
  readStatement: bind('readStatement', readStatement),
});
