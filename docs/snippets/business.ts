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

// #region page-token
/** A token for one page of a signed-in user: ten minutes, and a tenth of a credit in all. */
export const createPageToken = async (admin: Admin, { id }: User, origin: string) => {
  // Made once; its own text is never sent.
  const key = await admin.createKeyOnce({ projectId: id, model: null, name: 'page', reference: 'page' });
  if (key === null) return null;
  const made = await admin.createToken({ keyId: key.id, origins: [origin], budgetMicros: microsFromCredits('0.1') });
  return made === null ? null : { token: made.token, expiresAt: made.expiresAtMs };
};
// #endregion page-token
