import type { Key } from '@tollgate/storage';
import type { Engine } from '../engine.ts';
import { commitOnce } from '../operations/persist.ts';

/** One value that another system has for an account, such as the id of a customer. */
export interface LinkInput {
  readonly accountId: string;
  /** Names what it is, such as `stripe.customer`. */
  readonly name: string;
  readonly value: string;
  /** The value that this one takes the place of; without it, only the first value is kept. */
  readonly replaces?: string | undefined;
}

const linkKey = (accountId: string, name: string): Key & { readonly table: 'setting' } => ({
  table: 'setting',
  id: `link:${name}:${accountId}`,
});

/** The value of a link, or null where the account has none. */
export const readLink = async (engine: Engine, accountId: string, name: string): Promise<string | null> => {
  const key = linkKey(accountId, name);
  // A setting by itself is one of the whole gateway; beside the account it is one of that account.
  const records = await engine.storage.read([{ table: 'account', id: accountId }, key]);
  return records.get('setting', key.id)?.value ?? null;
};

/**
 * Keeps a value for an account and returns the one that is kept: of several writers at once the first wins, and all get its value.
 * Null where there is no such account.
 */
export const linkAccount = (engine: Engine, input: LinkInput): Promise<string | null> => {
  const { accountId, name, value, replaces } = input;
  const key = linkKey(accountId, name);
  return commitOnce(engine, {
    keys: [{ table: 'account', id: accountId }, key],
    decide: (records) => {
      if (records.get('account', accountId) === undefined) return { writes: [], answer: null };
      const kept = records.get('setting', key.id)?.value;
      if (kept !== undefined && kept !== replaces) return { writes: [], answer: kept };
      return { writes: [{ kind: 'put', table: 'setting', record: { id: key.id, value } }], answer: value };
    },
  });
};
