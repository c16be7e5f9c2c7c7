import {
  isBlobKey,
  listRowsMax,
  type IndexCursor,
  type Key,
  type Storage,
  type TableName,
  type Tables,
} from '@tollgate/storage';
import { accountsOf, keyName, keysOf, linkPrefix } from './account-of-records.ts';
import { scanPages, type ScanOf } from './scan-pages.ts';

/** Some records of one account: the rows of a table, in the cell where they are read. */
export interface AccountRows {
  readonly table: TableName;
  readonly rows: readonly Tables[TableName][];
}

type Source = Pick<Storage, 'read' | 'list' | 'scan'>;
type Pages = AsyncGenerator<AccountRows, void>;

async function* scanned(source: Source, table: TableName, of: ScanOf): Pages {
  for await (const rows of scanPages(source, table, of)) yield { table, rows };
}

/** Only rows that name the account. */
const named = (accountId: string): ScanOf => ({ where: { field: 'accountId', value: accountId } });

async function* readRows(source: Source, keys: readonly Key[]): Pages {
  const records = await source.read(keys);
  for (const [table, some] of Map.groupBy(keys, (key) => key.table)) {
    const rows = some.map(({ id }) => records.get(table, id)).filter((row) => row !== undefined);
    if (rows.length > 0) yield { table, rows };
  }
}

async function* deliveriesOf(source: Source, projectId: string): Pages {
  let after: IndexCursor | undefined;
  for (;;) {
    const rows: readonly Tables['delivery'][] = await source.list('deliveriesByProject', {
      of: projectId,
      limit: listRowsMax,
      after,
    });
    if (rows.length > 0) yield { table: 'delivery', rows };
    const last = rows.at(-1);
    if (last === undefined || rows.length < listRowsMax) return;
    after = { order: last.createdAtMs, id: last.id };
  }
}

const idsAs = (table: TableName, ids: readonly string[]): readonly Key[] => ids.map((id) => ({ table, id }));

/** Texts of a record that can be keys of blobs. */
const blobKeysIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return value.includes('/') && isBlobKey(value) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(blobKeysIn);
};

async function* scannedEach(source: Source, tables: readonly TableName[], ids: readonly string[]): Pages {
  for (const id of ids) for (const table of tables) yield* scanned(source, table, { prefix: `${id}:` });
}

/** What is found by rows of a table alone, by the ids of these. */
const besideIds: Partial<Record<TableName, (source: Source, ids: readonly string[]) => Pages>> = {
  async *project(source, ids) {
    yield* readRows(source, [...idsAs('projectUsage', ids), ...idsAs('subscriptions', ids)]);
    yield* scannedEach(source, ['identity', 'toolContext'], ids);
    for (const id of ids) {
      yield* scanned(source, 'webhook', { where: { field: 'projectId', value: id } });
      yield* deliveriesOf(source, id);
    }
  },
  async *apiKey(source, ids) {
    yield* readRows(source, idsAs('undelivered', ids));
    yield* scannedEach(source, ['undelivered', 'spend'], ids);
  },
  browserToken: (source, ids) =>
    readRows(
      source,
      ids.map((id) => ({ table: 'spend', id: `token:${id}` })),
    ),
  operation: (source, ids) =>
    readRows(
      source,
      (['answer', 'liveSession', 'environmentTree', 'outbox'] as const).flatMap((table) => idsAs(table, ids)),
    ),
  async *resource(source, ids) {
    yield* readRows(source, idsAs('environmentTree', ids));
    yield* scannedEach(source, ['resourceUse', 'batchItem'], ids);
  },
  file: (source, ids) => scannedEach(source, ['fileUse'], ids),
  trigger: (source, ids) => scannedEach(source, ['occurrence'], ids),
};

/** What lies beside some rows, with the blobs that they guard. */
async function* beside(source: Source, { table, rows }: AccountRows): Pages {
  const guarded = [...new Set(rows.flatMap(blobKeysIn))];
  for (let from = 0; from < guarded.length; from += listRowsMax)
    yield* readRows(source, idsAs('pendingBlob', guarded.slice(from, from + listRowsMax)));
  const more = besideIds[table];
  if (more !== undefined)
    yield* more(
      source,
      rows.map(({ id }) => id),
    );
}

/** Tables whose rows name their account: what is found by rows of another table stands before that one. */
const namingTables = [
  'resource',
  'operation',
  'file',
  'trigger',
  'browserToken',
  'apiKey',
  'entry',
  'anomaly',
  'payment',
  'paymentOrder',
  'usageLine',
  'usageHour',
  'usageDay',
  'hostEvent',
  'project',
] as const satisfies readonly TableName[];

const ownTables = ['balanceAlert', 'debt', 'topUp', 'wallet', 'account'] as const satisfies readonly TableName[];

/** Blobs without an owner; the records that tell whose they are must be there still. */
async function* pendingBlobsOf(source: Source, accountId: string): Pages {
  for await (const { table, rows } of scanned(source, 'pendingBlob', {})) {
    const accounts = await accountsOf(source, keysOf(table, rows));
    const own = rows.filter(({ id }) => accounts.get(keyName({ table, id })) === accountId);
    if (own.length > 0) yield { table, rows: own };
  }
}

/** Settings that belong to an account. */
async function* linksOf(source: Source, accountId: string): Pages {
  for await (const { table, rows } of scanned(source, 'setting', { prefix: linkPrefix })) {
    const own = rows.filter(({ id }) => id.endsWith(`:${accountId}`));
    if (own.length > 0) yield { table, rows: own };
  }
}

/** Records that are found by no others. */
async function* foundAlone(source: Source, accountId: string): Pages {
  yield* readRows(
    source,
    ownTables.map((table) => ({ table, id: accountId })),
  );
  yield* linksOf(source, accountId);
  yield* scanned(source, 'deposit', { prefix: `${accountId}:` });
}

/**
 * All records of an account in a cell, those by which others are found before these: wherever copying them ends, every copy can be
 * found.
 */
export async function* rowsToCopy(source: Source, accountId: string): Pages {
  yield* foundAlone(source, accountId);
  for (const table of namingTables.toReversed())
    for await (const page of scanned(source, table, named(accountId))) {
      yield page;
      yield* beside(source, page);
    }
  yield* pendingBlobsOf(source, accountId);
}

/** The same the other way round: wherever clearing them away ends, every record that is left can be found. */
export async function* rowsToClear(source: Source, accountId: string): Pages {
  yield* pendingBlobsOf(source, accountId);
  for (const table of namingTables)
    for await (const page of scanned(source, table, named(accountId))) {
      yield* beside(source, page);
      yield page;
    }
  yield* foundAlone(source, accountId);
}

const ranks = new Map<TableName, number>([...ownTables, ...namingTables].toReversed().map((table, at) => [table, at]));

const rankOf = ({ table }: Key): number => ranks.get(table) ?? ranks.size;

/** In the order of `rowsToCopy`. */
export const inCopyOrder = (keys: readonly Key[]): readonly Key[] =>
  keys.toSorted((one, other) => rankOf(one) - rankOf(other));
