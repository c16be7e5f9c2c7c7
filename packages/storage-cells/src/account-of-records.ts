import { recordOfTable, type Key, type Records, type Storage, type TableName, type Tables } from '@tollgate/storage';
import { besideBlob, familyOf } from './key-families.ts';

/** By what the account of a record is found: it is named, or is that of another record. */
type Owner = { readonly accountId: string } | { readonly of: readonly Key[] };

const textField = (record: object | undefined, field: string): string | null => {
  const value: unknown = record === undefined ? undefined : Reflect.get(record, field);
  return typeof value === 'string' ? value : null;
};

/** The table whose id stands before the first colon of an id, or is all of it. */
const prefixes: Partial<Record<TableName, TableName>> = {
  identity: 'project',
  toolContext: 'project',
  undelivered: 'apiKey',
  deposit: 'account',
  fileUse: 'file',
  resourceUse: 'operation',
  batchItem: 'operation',
  occurrence: 'trigger',
};

/** What counts the spending of a key has the key's id before its colon; that of a token has the token's behind it. */
const ownerOfSpend = (id: string): Key => {
  const [first = '', second = ''] = id.split(':');
  return first === 'token' ? { table: 'browserToken', id: second } : { table: 'apiKey', id: first };
};

/** What begins the id of a setting that belongs to an account, which ends it. */
export const linkPrefix = 'link:';

const ownerOfSetting = (id: string): Owner =>
  id.startsWith(linkPrefix) ? { accountId: id.slice(id.lastIndexOf(':') + 1) } : { of: [] };

/** The account that a record names by itself. */
export const namedAccount = (record: object | undefined): string | null => textField(record, 'accountId');

const ownerOf = ({ table, id }: Key, record: object | undefined): Owner => {
  const family = familyOf(table);
  if (family === 'account') return { accountId: id };
  const accountId = namedAccount(record);
  if (accountId !== null) return { accountId };
  const projectId = textField(record, 'projectId');
  if (projectId !== null) return { of: [{ table: 'project', id: projectId }] };
  if (family !== table) return { of: [{ table: family, id }] };
  if (table === 'setting') return ownerOfSetting(id);
  if (table === 'spend') return { of: [ownerOfSpend(id)] };
  if (table === 'pendingBlob') return { of: besideBlob(id) };
  const prefix = prefixes[table];
  if (prefix !== undefined) return { of: [{ table: prefix, id: id.split(':')[0] ?? '' }] };
  return { of: [] };
};

/** Records that lead from one to its account, at the most: an item, its batch. */
const readsMax = 4;

export const keyName = ({ table, id }: Pick<Key, 'table' | 'id'>): string => `${table} ${id}`;

/**
 * The accounts of records of one storage, by `keyName`; a key of which nothing tells the account is left out. A record that is not there
 * may have one all the same, by its id. What was `seen` of the records is not read again: they may be deleted meanwhile.
 */
export const accountsOf = async (
  storage: Pick<Storage, 'read'>,
  keys: readonly Key[],
  seen?: Pick<Records, 'get'>,
): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>();
  /** Each key that is read, with those whose account is the same. */
  let open = new Map<string, { readonly key: Key; readonly waiting: readonly string[] }>(
    keys.map((key) => [keyName(key), { key, waiting: [keyName(key)] }]),
  );
  for (let reads = 0; reads < readsMax && open.size > 0; reads += 1) {
    const asked = [...open.values()].map(({ key: { table, id } }) => ({ table, id }));
    const records = reads === 0 && seen !== undefined ? seen : await storage.read(asked);
    const next: typeof open = new Map();
    for (const { key, waiting } of open.values()) {
      const owner = ownerOf(key, records.get(key.table, key.id));
      if ('accountId' in owner) for (const name of waiting) found.set(name, found.get(name) ?? owner.accountId);
      else
        for (const of of owner.of)
          next.set(keyName(of), { key: of, waiting: [...(next.get(keyName(of))?.waiting ?? []), ...waiting] });
    }
    open = next;
  }
  return found;
};

/** Rows with the key of each. */
export const keysOf = (table: TableName, rows: readonly Tables[TableName][]): readonly Key[] =>
  rows.map(({ id }) => ({ table, id }));

/** Rows as what was seen of their records. */
export const seenRows = (rows: readonly Tables[TableName][]): Pick<Records, 'get'> => {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return {
    get: <T extends TableName>(_: T, id: string) => {
      const row = byId.get(id);
      return row && recordOfTable<T>(row);
    },
  };
};
