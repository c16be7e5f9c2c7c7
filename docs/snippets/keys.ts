import { microsFromCredits, type Gateway } from 'tollgate';

type Admin = Gateway['admin'];

// #region terms
/** A key for a trial: a week, one model, and half a credit a day. */
export const createTrialKey = (admin: Admin, projectId: string, nowMs: number) =>
  admin.createKey({
    projectId,
    model: null,
    name: 'trial',
    expiresAtMs: nowMs + 7 * 24 * 60 * 60 * 1_000,
    models: ['flash-2.5'],
    cap: { amountMicros: microsFromCredits('0.5'), window: 'day', timeZone: 'Europe/Berlin' },
    limits: { requestsPerMinute: 60 },
    metadata: { plan: 'trial' },
  });
// #endregion terms

// #region once
/** What a sign-up makes, however often it is sent; `key` is null where an earlier call made it. */
export const signUp = async (admin: Admin, user: { readonly id: string; readonly name: string }) => {
  const account = await admin.createAccount({ id: user.id, name: user.name });
  const project = await admin.createProject({ id: user.id, accountId: account.id, name: 'default' });
  if (project === null) throw new Error('the account is closed');
  return admin.createKeyOnce({ projectId: project.id, model: null, reference: 'first key' });
};
// #endregion once
