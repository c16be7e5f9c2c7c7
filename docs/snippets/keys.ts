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

// #region tokens
/** The route `POST /tokens` of the host, which a page of a signed-in visitor calls. */
export const answerTokens = async (admin: Admin, visitor: { readonly keyId: string } | null): Promise<Response> => {
  if (visitor === null) return new Response(null, { status: 401 });
  const made = await admin.createToken({
    keyId: visitor.keyId,
    origins: ['https://app.example.com'],
    models: ['flash-2.5'],
    budgetMicros: microsFromCredits('0.5'),
    ttlSeconds: 600,
  });
  if (made === null) return new Response(null, { status: 403 });
  const { token, expiresAtMs } = made;
  return Response.json(
    { token, expiresAt: new Date(expiresAtMs).toISOString() },
    { headers: { 'cache-control': 'no-store' } },
  );
};
// #endregion tokens
