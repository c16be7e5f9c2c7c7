import {
  indexSpec,
  tableColumns,
  type IndexedChunk,
  type IndexName,
  type IndexQuery,
  type TableName,
  type Tables,
} from '@tollgate/storage';
import { createMemoryIndex, type MemoryIndex } from './memory-index.ts';

type Row = Tables[TableName];

/** What has been committed. It outlives the storages that write to it, as a disk outlives processes. */
export interface MemoryDisk {
  /** The committed rows of a table by id; every row is frozen. */
  rows(table: TableName): ReadonlyMap<string, Row>;
  /** Writes a row in place of that of the same id, if there is one. */
  put(table: TableName, row: Row): void;
  delete(table: TableName, id: string): void;
  /** The rows of an index after the query's cursor, newest first. */
  list(index: IndexName, query: IndexQuery): readonly Row[];
  /** Blobs by key. */
  readonly blobs: Map<string, Uint8Array>;
  /** Chunks of documents by document and place. */
  readonly chunks: Map<string, IndexedChunk>;
}

interface Table {
  readonly rows: Map<string, Row>;
  /** Those that were asked for: an index that is never read costs nothing. */
  readonly indexes: Map<IndexName, MemoryIndex>;
}

/** An empty disk. Storages that share one see each other's commits, as several processes on one database do. */
export const createMemoryDisk = (): MemoryDisk => {
  const tables = new Map<string, Table>(
    Object.keys(tableColumns).map((table) => [table, { rows: new Map(), indexes: new Map() }]),
  );
  const tableOf = (name: TableName): Table => {
    const table = tables.get(name);
    if (table === undefined) throw new Error(`no such table: ${name}`);
    return table;
  };
  const indexOf = (name: IndexName): MemoryIndex => {
    const spec = indexSpec(name);
    const { rows, indexes } = tableOf(spec.table);
    const known = indexes.get(name);
    if (known !== undefined) return known;
    const created = createMemoryIndex(spec, rows.values());
    indexes.set(name, created);
    return created;
  };
  return {
    rows: (name) => tableOf(name).rows,
    put: (name, row) => {
      const { rows, indexes } = tableOf(name);
      if (indexes.size > 0) for (const index of indexes.values()) index.change(rows.get(row.id), row);
      rows.set(row.id, row);
    },
    delete: (name, id) => {
      const { rows, indexes } = tableOf(name);
      for (const index of indexes.values()) index.change(rows.get(id), undefined);
      rows.delete(id);
    },
    list: (name, query) => indexOf(name).list(query),
    blobs: new Map(),
    chunks: new Map(),
  };
};
