import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { runSql } from '../../test/postgres-server.ts';
import type { StoreChoice } from '../torture/store-choice.ts';

/** Rows by table, and all bytes on disk. */
export interface TableSizes {
  readonly rows: ReadonlyMap<string, number>;
  readonly bytes: number;
}

/** Of every table that there is, so that none that is added later is left out. */
const countSql = (schema: string, tables: readonly Readonly<Record<string, unknown>>[]): string =>
  `SELECT ${tables.map(({ name }) => `(SELECT count(*) FROM ${schema}"${String(name)}") AS "${String(name)}"`).join(', ')}`;

const toRows = (counted: Readonly<Record<string, unknown>> | undefined): Map<string, number> =>
  new Map(Object.entries(counted ?? {}).map(([name, count]) => [name, Number(count)]));

/** Large answers are files beside the database. */
const readBlobs = (folder: string): { readonly count: number; readonly bytes: number } => {
  let [count, bytes] = [0, 0];
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    // One may have been purged since it was listed.
    const stat = statSync(path.join(entry.parentPath, entry.name), { throwIfNoEntry: false });
    count += 1;
    bytes += stat?.size ?? 0;
  }
  return { count, bytes };
};

const measureSqlite = (file: string): TableSizes => {
  const database = new DatabaseSync(file, { readOnly: true });
  const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`);
  const rows = toRows(database.prepare(countSql('', tables.all())).get());
  const size = database
    .prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()')
    .get();
  database.close();
  const blobs = readBlobs(`${file}-blobs`);
  rows.set('blob', blobs.count);
  return { rows, bytes: Number(size?.['bytes']) + blobs.bytes };
};

const measurePostgres = async (url: string): Promise<TableSizes> => {
  const tables = await runSql(url, `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'tollgate'`);
  const [counted] = await runSql(url, countSql('tollgate.', tables));
  const [size] = await runSql(
    url,
    `SELECT sum(pg_total_relation_size(c.oid)) AS bytes FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'tollgate' AND c.relkind = 'r'`,
  );
  return { rows: toRows(counted), bytes: Number(size?.['bytes']) };
};

export const measureTables = async (choice: StoreChoice): Promise<TableSizes> => {
  switch (choice.kind) {
    case 'sqlite':
      return measureSqlite(choice.path);
    case 'postgres':
      return measurePostgres(choice.url);
    case 'galera':
      throw new Error('the tables of a cluster are not measured');
  }
};
