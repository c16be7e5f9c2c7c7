import { microsFromCredits, type Gateway } from 'tollgate';

export interface OpenedAccount {
  readonly accountId: string;
  /** Shown here alone: the gateway stores only its hash. */
  readonly key: string;
}

/** Opens an account with credits, a project and a key. */
export const openAccount = async (
  admin: Gateway['admin'],
  { name, credits }: { readonly name: string; readonly credits: string },
): Promise<OpenedAccount> => {
  const account = await admin.createAccount({ name });
  // A deposit happens once for its reference, however often it is sent.
  await admin.deposit({ accountId: account.id, amountMicros: microsFromCredits(credits), reference: 'welcome' });
  const project = await admin.createProject({ accountId: account.id, name: 'default' });
  if (project === null) throw new Error(`the account ${account.id} was closed meanwhile`);
  const key = await admin.createKey({ projectId: project.id, model: null });
  if (key === null) throw new Error(`the project ${project.id} was closed meanwhile`);
  return { accountId: account.id, key: key.key };
};
