export { columnName } from './sql/column-name.ts';
export { partialIndexes, plainIndexes, type IndexScheme } from './sql/index-scheme.ts';
export {
  createRecordCodec,
  everyColumn,
  placesOf,
  type ColumnSet,
  type RecordCodec,
  type RecordCodecOptions,
  type RecordColumn,
} from './sql/record-codec.ts';
export { createListSql, type ListSql } from './sql/list-sql.ts';
export {
  LostRaceError,
  readTogether,
  runBatch,
  type Batch,
  type BatchSql,
  type Carried,
  type Wanted,
} from './sql/run-batch.ts';
export { refuseNewer } from './sql/refuse-newer.ts';
export { schemaChanges, type AddedColumn, type SchemaChange } from './sql/schema-changes.ts';
export { schemaFills, type JsonSql } from './sql/schema-fills.ts';
export { schemaMigrations, schemaText, type Migration } from './sql/schema-sql.ts';
export { sqlBlobs, type SqlRunner } from './sql/sql-blobs.ts';
export {
  plainSql,
  type Sql,
  type SqlCell,
  type SqlConnection,
  type SqlRow,
  type SqlValue,
} from './sql/sql-connection.ts';
export type { SchemaDialect, SqlCertification, SqlDialect, SqlFault, StatementDialect } from './sql/sql-dialect.ts';
export { openSqlStorage, type SqlStorageOptions } from './sql/sql-storage.ts';
export {
  checkStoredLengths,
  foundChunkOf,
  foundColumns,
  searchChunks,
  sqlVectors,
  type ChunkTable,
} from './sql/sql-vectors.ts';
export { retrying, UnknownCommitError, type Plan, type RunTransaction } from './sql/sql-transaction.ts';
export { usageRowOf, usageStatement, type UsageSql } from './sql/usage-statement.ts';
export { createTables, dueSql, recordsById, scanSql, type TableSql, type TablesSql } from './sql/table-sql.ts';
