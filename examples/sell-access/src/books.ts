// What the shop itself keeps of what happens to credits. Each event may come more than once: its id is the key.
import { microsFromCredits, type HookOptions } from 'tollgate';
import { openPool } from './open-pool.ts';

export interface Books {
  readonly hooks: HookOptions;
  readonly prepare: () => Promise<void>;
  /** Whether the balance of the account went below the threshold. */
  readonly isReminded: (accountId: string) => Promise<boolean>;
  /** What was settled for an account: how many calls, and how many micro-credits. */
  readonly settledOf: (accountId: string) => Promise<{ readonly calls: number; readonly micros: bigint }>;
  readonly close: () => Promise<void>;
}

const schema = 'shop';
const connectionsMax = 2;

const tables = `
create schema if not exists ${schema};
create table if not exists settled (id text primary key, account text not null, micros bigint not null);
create table if not exists reminders (id text primary key, account text not null, balance bigint not null);`;

/** Below so many credits a user is reminded, and one who chose so buys again. */
export const lowBalanceCredits = '2';

/** What this shop does not serve; a real one asks a moderation. */
const blocked = ['forbidden'];

/** `buyAgain` is called with an account whose credits run low. */
export const openBooks = (
  databaseUrl: string,
  buyAgain: (accountId: string) => Promise<unknown> = () => Promise.resolve(),
): Books => {
  const pool = openPool(databaseUrl, schema, connectionsMax);
  const keep = async (table: 'settled' | 'reminders', id: string, accountId: string, micros: bigint): Promise<void> => {
    await pool.query(`insert into ${table} values ($1, $2, $3) on conflict do nothing`, [id, accountId, micros]);
  };
  return {
    hooks: {
      onRequest: ({ body }) =>
        blocked.some((word) => JSON.stringify(body).includes(word))
          ? { refuse: { message: 'This shop does not serve that.' } }
          : { tags: { shop: 'sell-access' } },
      onSettled: ({ id, accountId, chargedMicros }) => keep('settled', id, accountId, chargedMicros),
      onLowBalance: async ({ id, accountId, balanceMicros }) => {
        await keep('reminders', id, accountId, balanceMicros ?? 0n);
        await buyAgain(accountId);
      },
      lowBalanceMicros: microsFromCredits(lowBalanceCredits),
    },
    prepare: async () => void (await pool.query(tables)),
    isReminded: async (accountId) =>
      (await pool.query('select from reminders where account = $1 limit 1', [accountId])).rowCount === 1,
    settledOf: async (accountId) => {
      const text =
        'select count(*)::int as calls, coalesce(sum(micros), 0)::text as micros from settled where account = $1';
      const { rows } = await pool.query<{ readonly calls: number; readonly micros: string }>(text, [accountId]);
      return { calls: rows[0]?.calls ?? 0, micros: BigInt(rows[0]?.micros ?? '0') };
    },
    close: () => pool.end(),
  };
};
