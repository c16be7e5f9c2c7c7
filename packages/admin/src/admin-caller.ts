/** Whom the host let in. */
export type AdminCaller =
  /** Sees and changes everything. */
  | { readonly role: 'operator'; readonly name: string }
  /** Sees and changes its own projects: all of an account, or those that are named. What is not its own is not found. */
  | {
      readonly role: 'owner';
      readonly name: string;
      readonly accountId?: string | undefined;
      readonly projectIds?: readonly string[] | undefined;
    };

/** Tells who sends a request; null for a request that no one may send. */
export type Authorize = (request: Request) => AdminCaller | null | Promise<AdminCaller | null>;

/** Projects that one owner may have by name. */
const ownProjectsMax = 100;

const isTexts = (value: unknown): boolean =>
  value === undefined ||
  (Array.isArray(value) && value.length <= ownProjectsMax && value.every((text) => typeof text === 'string'));

/** What is wrong with what a host's function returned; null where it is a caller. */
export const callerFault = (caller: AdminCaller): string | null => {
  const { role, name } = caller;
  if (typeof name !== 'string' || name === '') return 'has no name, which the audit trail needs';
  if (role === 'operator') return null;
  if (role !== 'owner') return `has the role ${String(role)}; accepted are operator and owner`;
  const { accountId, projectIds } = caller;
  if (accountId !== undefined && typeof accountId !== 'string') return 'has an accountId that is no text';
  return isTexts(projectIds) ? null : `has projectIds that are not a list of at most ${ownProjectsMax} texts`;
};
