import type { Gateway } from 'tollgate';
import type { TortureAccount } from './accounts.ts';

type Page = Awaited<ReturnType<Gateway['admin']['listOperations']>>;
export type Operation = Page[number];
export type Operations = ReadonlyMap<string, Operation>;

/** What a list answers at the most. */
export const pageRows = 100;

const readAccount = async (gateway: Gateway, accountId: string): Promise<readonly Operation[]> => {
  const all: Operation[] = [];
  for (;;) {
    const page: Page = await gateway.admin.listOperations({ kind: 'account', accountId }, all.at(-1));
    all.push(...page);
    if (page.length < pageRows) return all;
  }
};

/** All operations of the accounts, by identity. */
export const readOperations = async (gateway: Gateway, accounts: readonly TortureAccount[]): Promise<Operations> => {
  const all = new Map<string, Operation>();
  for (const { accountId } of accounts)
    for (const operation of await readAccount(gateway, accountId))
      all.set(operation.identity ?? operation.id, operation);
  return all;
};
