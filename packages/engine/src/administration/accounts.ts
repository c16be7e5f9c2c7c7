import { nullable, oneOf, optionsCheck, required, text } from '@tollgate/contract/configuration';
import type { AccountRecord, IndexCursor, Metadata, WalletRecord } from '@tollgate/storage';
import { listRowsMax } from '@tollgate/storage';
import { changeAccountStep, type ChangeAccountCommand } from '../decisions/change-account.ts';
import { emptyWallet } from '../decisions/wallet.ts';
import type { Engine } from '../engine.ts';
import { notePlanOfAccount } from '../ledger/unknown-plan.ts';
import { commitOnce } from '../operations/persist.ts';
import type { CallerLimits } from '../ports/caller-limits.ts';
import { keptLimits, limitsCheck } from './limits-check.ts';
import { idCheck } from './id-check.ts';
import { keptMetadata, metadataCheck } from './metadata-check.ts';
import { nameCheck } from './name-check.ts';
import { byAge, matches, selectPage, type Page, type SearchQuery } from './search.ts';

/** A new account. */
export interface AccountInput {
  readonly name: string;
  /** Chosen by the caller, a uuid; creating the same account again changes nothing. */
  readonly id?: string | undefined;
  /** Texts of the host's own, such as its customer number. */
  readonly metadata?: Metadata | null | undefined;
  /** For a limiter, over all projects of the account together. */
  readonly limits?: CallerLimits | null | undefined;
  /** The plan of the price lists by which it is charged. */
  readonly plan?: string | null | undefined;
}

/** A plan's name; lists that do not have the plan charge their own prices. */
const planCheck = nullable(text({ charsMax: 128, accepted: 'is a name of 1 to 128 characters' }));

/** What a host asks of an account. */
export const accountCheck = optionsCheck<AccountInput>({
  name: required(nameCheck),
  plan: planCheck,
  id: idCheck,
  metadata: metadataCheck,
  limits: limitsCheck,
});

/** Opens an account with an empty wallet. */
export const createAccount = async (engine: Engine, input: AccountInput): Promise<AccountRecord> => {
  const id = input.id ?? engine.newId();
  notePlanOfAccount(engine, id, input.plan);
  return commitOnce(engine, {
    keys: [
      { table: 'account', id },
      { table: 'wallet', id },
    ],
    decide: (records, nowMs) => {
      const existing = records.get('account', id);
      if (existing !== undefined) return { writes: [], answer: existing };
      const record: AccountRecord = {
        id,
        name: input.name,
        status: 'active',
        createdAtMs: nowMs,
        metadata: keptMetadata(input.metadata),
        closedAtMs: null,
        limits: keptLimits(input.limits) ?? null,
        plan: input.plan ?? null,
      };
      return {
        writes: [
          { kind: 'put', table: 'account', record },
          { kind: 'put', table: 'wallet', record: emptyWallet(id) },
        ],
        answer: record,
      };
    },
  });
};

/** What is changed of an account; what is not named stays. */
export type AccountChange = Omit<ChangeAccountCommand, 'accountId'>;

export const accountStatusCheck = oneOf<AccountRecord['status']>('active', 'inactive', 'blocked', 'closed');

/** What a host may change of an account. */
export const accountChangeCheck = optionsCheck<AccountChange>({
  name: nameCheck,
  plan: planCheck,
  metadata: metadataCheck,
  limits: limitsCheck,
  status: accountStatusCheck,
});

/**
 * Changes the name, the metadata, the limits and the status of an account. Operations under way go on whatever the status. `closed` is final: a
 * closed account keeps its status. Null where there is no such account.
 */
export const changeAccount = async (
  engine: Engine,
  accountId: string,
  change: AccountChange,
): Promise<AccountRecord | null> => {
  const metadata = change.metadata === undefined ? undefined : keptMetadata(change.metadata);
  const step = changeAccountStep({ ...change, accountId, metadata, limits: keptLimits(change.limits) });
  const changed = await commitOnce(engine, step);
  engine.access.forget();
  if (changed !== null) notePlanOfAccount(engine, accountId, change.plan);
  return changed;
};

/** Lets an account in or keeps it out; operations under way go on. Null where there is no such account. */
export const setAccountStatus = (
  engine: Engine,
  accountId: string,
  status: AccountRecord['status'],
): Promise<AccountRecord | null> => changeAccount(engine, accountId, { status });

/** A closed account, and what is left on its wallet: held credits settle, and the rest is the host's to pay out. */
export interface ClosedAccount {
  readonly account: AccountRecord;
  readonly wallet: WalletRecord;
}

/**
 * Ends an account for good: it opens no operation any more, what it holds settles, and its entries stay. It does not wait for the
 * balance to be zero: the wallet as it is after the closing is returned. Null where there is no such account.
 */
export const closeAccount = async (engine: Engine, accountId: string): Promise<ClosedAccount | null> => {
  const account = await changeAccount(engine, accountId, { status: 'closed' });
  if (account === null) return null;
  return { account, wallet: (await readWallet(engine, accountId)) ?? emptyWallet(accountId) };
};

/** An account, or null. */
export const readAccount = async (engine: Engine, accountId: string): Promise<AccountRecord | null> => {
  const records = await engine.storage.read([{ table: 'account', id: accountId }]);
  return records.get('account', accountId) ?? null;
};

/** A page of the accounts, newest first, of which a search keeps those that have its text. */
export const findAccounts = (engine: Engine, query: SearchQuery = {}): Promise<Page<AccountRecord>> =>
  selectPage((page) => engine.storage.list('accounts', { of: '', ...page }), {
    ...query,
    placeOf: byAge,
    keeps: matches(query.search),
  });

/** The accounts, newest first, up to a hundred; `after` is the place of the last one of the page before. */
export const listAccounts = (engine: Engine, after?: IndexCursor): Promise<readonly AccountRecord[]> =>
  engine.storage.list('accounts', { of: '', limit: listRowsMax, ...(after === undefined ? {} : { after }) });

/** The sums of an account's wallet now, or null where there is no such account or the host keeps the wallet. */
export const readWallet = async (engine: Engine, accountId: string): Promise<WalletRecord | null> => {
  if (engine.host.ledger !== null) return null;
  const records = await engine.storage.read([{ table: 'wallet', id: accountId }]);
  return records.get('wallet', accountId) ?? null;
};
