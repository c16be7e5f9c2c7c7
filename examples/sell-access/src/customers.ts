// What a user of the shop has in the gateway: one account and one project, both with the id of the user.
import { microsFromCredits, type Gateway } from 'tollgate';
import type { User } from './users.ts';

export interface Customers {
  /** Makes what a user has in the gateway, at its first call. Two processes that do so at once make one account. */
  readonly ensure: (user: User) => Promise<void>;
  /** Under which project and key a user calls who is signed in and brings no key. */
  readonly callerOf: (user: User) => Promise<{ readonly projectId: string; readonly reference: string }>;
  /** A new key; its text is shown this once, and null where the user has a key of this name. */
  readonly createKey: (user: User, name: string) => Promise<string | null>;
  readonly keyNamesOf: (user: User) => Promise<readonly string[]>;
  /** A credential for the page of the user, which ends by itself and can spend next to nothing. */
  readonly createToken: (user: User) => Promise<{ readonly token: string; readonly expiresAt: number }>;
}

/** How many users a process remembers to have an account. */
const knownMax = 10_000;
/** The key under which pages call, by a session or by a token of it; its own text is never sent. */
const pageKey = 'page';

export const customersOf = ({ admin }: Gateway, origin: string): Customers => {
  const known = new Set<string>();
  const ensure = async ({ id, email }: User): Promise<void> => {
    if (known.has(id)) return;
    const account = await admin.createAccount({ id, name: email, plan: 'starter' });
    await admin.createProject({ id, accountId: account.id, name: 'default' });
    if (known.size >= knownMax) known.clear();
    known.add(id);
  };
  return {
    ensure,
    callerOf: async (user) => {
      await ensure(user);
      return { projectId: user.id, reference: pageKey };
    },
    createKey: async ({ id }, name) => {
      const created = await admin.createKeyOnce({ projectId: id, model: null, name, reference: name });
      return created?.key ?? null;
    },
    keyNamesOf: async ({ id }) =>
      (await admin.listKeys(id)).filter(({ reference }) => reference !== pageKey).map(({ name }) => name),
    createToken: async ({ id }) => {
      const key = await admin.createKeyOnce({ projectId: id, model: null, name: pageKey, reference: pageKey });
      const budgetMicros = microsFromCredits('0.1');
      const made = key === null ? null : await admin.createToken({ keyId: key.id, origins: [origin], budgetMicros });
      if (made === null) throw new Error('the user has no project or no key');
      return { token: made.token, expiresAt: made.expiresAtMs };
    },
  };
};
