import type { IndexName, Key, TableName } from '@tollgate/storage';

/** Tables whose records have the id of another table's record and lie beside it. Every other table is a family of its own. */
const families: Partial<Record<TableName, TableName>> = {
  wallet: 'account',
  debt: 'account',
  topUp: 'account',
  balanceAlert: 'account',
  projectUsage: 'project',
  subscriptions: 'project',
  answer: 'operation',
  resource: 'operation',
  liveSession: 'operation',
  environmentTree: 'operation',
  outbox: 'operation',
};

export const familyOf = (table: TableName): TableName => families[table] ?? table;

/** Whether the id is that of an account, which tells its cell. */
export const isOfAccount = (table: TableName): boolean => familyOf(table) === 'account';

/** Tables whose records belong to no account: they are kept in every cell. */
const sharedTables: ReadonlySet<TableName> = new Set<TableName>(['setting', 'tariff']);

/** Whether these are records that belong to no account. A setting beside an account is one of that account. */
export const areShared = (keys: readonly Key[]): boolean =>
  keys.length > 0 && keys.every(({ table }) => sharedTables.has(table));

/**
 * The records beside which a blob's announcement may lie: the key of a blob has the id of the operation, file, schedule or project that
 * it is of, if of one, between its slashes.
 */
export const besideBlob = (blobKey: string): readonly Key[] =>
  blobKey
    .split('/')
    .flatMap((id) => [
      { table: 'operation', id } as const,
      { table: 'file', id } as const,
      { table: 'trigger', id } as const,
      { table: 'project', id } as const,
    ]);

const byItself = (of: string): string => of;

const owner = (table: TableName, idOf: (of: string) => string = byItself) => ({ table, idOf });

const ofAccount = owner('account');
const ofProject = owner('project');
const ofOperation = owner('operation');

/** The record by which the rows of an index lie in one cell; an index that is not named here goes over all cells. */
const owners: Partial<Record<IndexName, ReturnType<typeof owner>>> = {
  projectsByAccount: ofAccount,
  operationsByAccount: ofAccount,
  pendingOperationsByAccount: ofAccount,
  entriesByAccount: ofAccount,
  keysByProject: ofProject,
  operationsByProject: ofProject,
  webhooksByProject: ofProject,
  deliveriesByProject: ofProject,
  triggersByProject: ofProject,
  filesByProject: ofProject,
  keptFiles: ofProject,
  keptResources: ofProject,
  keptTriggers: ofProject,
  // A listing is the project and what is listed.
  resources: owner('project', (of) => of.slice(0, Math.max(0, of.lastIndexOf('/')))),
  resourcesByParent: ofOperation,
  usesByResource: ofOperation,
  itemsByBatch: ofOperation,
  deliveriesByOperation: ofOperation,
  deliveriesByWebhook: owner('webhook'),
  occurrencesByTrigger: owner('trigger'),
  fileUsesByFile: owner('file'),
};

/** The key of the record beside which the rows lie; null where they lie in all cells. */
export const ownerKeyOf = (index: IndexName, of: string): Key | null => {
  const found = owners[index];
  return found === undefined ? null : { table: found.table, id: found.idOf(of) };
};
