import type { Administration, KeyInfo, Page, PageQuery } from '@tollgate/engine';
import type { ImportPlan } from './plan-import.ts';

/** An active key of an earlier import that the file does not ask for. */
export interface StaleKey {
  readonly keyId: string;
  readonly account: string;
  readonly reference: string;
  /** The file names it and it is skipped; or the file has it in another account; or the file does not name it. */
  readonly kind: 'skipped' | 'moved' | 'missing';
}

type Admin = Pick<Administration, 'findAccounts' | 'findProjects' | 'findKeys'>;

async function* itemsOf<T>(find: (page: PageQuery) => Promise<Page<T>>): AsyncGenerator<T, void> {
  for (let after: PageQuery['after']; ;) {
    const page = await find({ after });
    yield* page.items;
    if (page.next === null) return;
    after = page.next;
  }
}

const activeKeys = async function* (admin: Admin, accountId: string): AsyncGenerator<KeyInfo, void> {
  for await (const { id: projectId } of itemsOf((page) => admin.findProjects({ ...page, accountId })))
    for await (const key of itemsOf((page) => admin.findKeys({ ...page, projectId })))
      if (key.status === 'active') yield key;
};

/** What a plan asks for, by project and by reference. */
const askedBy = ({ accounts }: ImportPlan) => {
  const projects = accounts.flatMap((account) => [...account.projects.values()]);
  return {
    accounts: new Set(accounts.map(({ id }) => id)),
    projects: new Map(projects.map(({ id, keys }) => [id, keys])),
    references: new Set(projects.flatMap(({ keys }) => [...keys.keys()])),
  };
};

/** The active keys of a source that its file does not ask for. `named` has the references of all keys of the file. */
export async function* findStaleKeys(
  admin: Admin,
  source: string,
  plan: ImportPlan,
  named: ReadonlySet<string>,
): AsyncGenerator<StaleKey, void> {
  const asked = askedBy(plan);
  for await (const { id, name, metadata } of itemsOf((page) => admin.findAccounts(page))) {
    if (metadata?.['imported_from'] !== source && !asked.accounts.has(id)) continue;
    for await (const { id: keyId, projectId, reference } of activeKeys(admin, id)) {
      if (reference === null || asked.projects.get(projectId)?.has(reference) === true) continue;
      const kind = asked.references.has(reference) ? 'moved' : named.has(reference) ? 'skipped' : 'missing';
      yield { keyId, account: metadata?.['imported_id'] ?? name, reference, kind };
    }
  }
}
