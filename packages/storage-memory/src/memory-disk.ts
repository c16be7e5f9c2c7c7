import { tableColumns, type IndexedChunk, type TableName, type Tables } from '@tollgate/storage';

type Rows = Map<string, Tables[TableName]>;

/** What has been committed. It outlives the storages that write to it, as a disk outlives processes. */
export interface MemoryDisk {
  /** The committed rows of a table by id; every row is frozen. */
  rows(table: TableName): Rows;
  /** Blobs by key. */
  readonly blobs: Map<string, Uint8Array>;
  /** Chunks of documents by document and place. */
  readonly chunks: Map<string, IndexedChunk>;
}

/** An empty disk. Storages that share one see each other's commits, as several processes on one database do. */
export const createMemoryDisk = (): MemoryDisk => {
  const tables = new Map<string, Rows>(Object.keys(tableColumns).map((table) => [table, new Map()]));
  return {
    rows: (table) => {
      const rows = tables.get(table);
      if (rows === undefined) throw new Error(`no such table: ${table}`);
      return rows;
    },
    blobs: new Map(),
    chunks: new Map(),
  };
};
