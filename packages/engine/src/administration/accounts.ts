import { optionsCheck, required, text } from '@tollgate/contract/configuration';
import type { AccountRecord, IndexCursor, WalletRecord } from '@tollgate/storage';
import { listRowsMax } from '@tollgate/storage';
import { emptyWallet } from '../decisions/wallet.ts';
import type { Engine } from '../engine.ts';
import { commitOnce } from '../operations/persist.ts';
import { nameCheck } from './name-check.ts';

export interface AccountInput {
  readonly name: string;
  /** Chosen by the caller, a uuid; creating the same account again changes nothing. */
  readonly id?: string;
}

/** What a host asks of an account. */
export const accountCheck = optionsCheck<AccountInput>({ name: required(nameCheck), id: text() });

/** Opens an account with an empty wallet. */
export const createAccount = async (engine: Engine, input: AccountInput): Promise<AccountRecord> => {
  const id = input.id ?? engine.newId();
  return commitOnce(engine, {
    keys: [
      { table: 'account', id },
      { table: 'wallet', id },
    ],
    decide: (records, nowMs) => {
      const existing = records.get('account', id);
      if (existing !== undefined) return { writes: [], answer: existing };
      const record: AccountRecord = { id, name: input.name, status: 'active', createdAtMs: nowMs };
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

/** Lets an account in or keeps it out; operations under way go on. Null where there is no such account. */
export const setAccountStatus = async (
  engine: Engine,
  id: string,
  status: AccountRecord['status'],
): Promise<AccountRecord | null> => {
  const changed = await commitOnce(engine, {
    keys: [{ table: 'account', id }],
    decide: (records) => {
      const account = records.get('account', id);
      if (account === undefined) return { writes: [], answer: null };
      const record = { ...account, status };
      return { writes: [{ kind: 'put', table: 'account', record }], answer: record };
    },
  });
  engine.access.forget();
  return changed;
};

export const listAccounts = (engine: Engine, after?: IndexCursor): Promise<readonly AccountRecord[]> =>
  engine.storage.list('accounts', { of: '', limit: listRowsMax, ...(after === undefined ? {} : { after }) });

/** The sums of an account's wallet now, or null where there is no such account or the host keeps the wallet. */
export const readWallet = async (engine: Engine, accountId: string): Promise<WalletRecord | null> => {
  if (engine.host.ledger !== null) return null;
  const records = await engine.storage.read([{ table: 'wallet', id: accountId }]);
  return records.get('wallet', accountId) ?? null;
};
