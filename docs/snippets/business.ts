import { microsFromCredits, type Gateway } from 'tollgate';

type Admin = Gateway['admin'];

// #region account
export interface User {
  /** A uuid: what the user has in the gateway has the same id. */
  readonly id: string;
  readonly email: string;
}

/** What a user needs, made at its first call. A repeat, also in another process at the same moment, makes nothing twice. */
export const ensureAccount = async (admin: Admin, { id, email }: User): Promise<void> => {
  const account = await admin.createAccount({ id, name: email, plan: 'starter' });
  await admin.createProject({ id, accountId: account.id, name: 'default' });
};

/** A key that the user named; null where there is one of this name. */
export const createUserKey = async (admin: Admin, { id }: User, name: string): Promise<string | null> =>
  (await admin.createKeyOnce({ projectId: id, model: null, name, reference: name }))?.key ?? null;
// #endregion account

// #region page-key
const pageKeyMs = 10 * 60_000;

/** A key for one page of a signed-in user: ten minutes, and a tenth of a credit in all. */
export const createPageKey = async (admin: Admin, { id }: User, nowMs: number) => {
  const expiresAt = nowMs + pageKeyMs;
  const cap = { amountMicros: microsFromCredits('0.1'), window: 'total' } as const;
  const created = await admin.createKey({ projectId: id, model: null, name: 'page', expiresAtMs: expiresAt, cap });
  return created === null ? null : { token: created.key, expiresAt };
};
// #endregion page-key
