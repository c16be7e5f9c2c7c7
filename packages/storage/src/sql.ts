export { columnName } from './sql/column-name.ts';
export { createRecordCodec, type RecordCodec, type RecordColumn } from './sql/record-codec.ts';
export { schemaChanges, type AddedColumn, type SchemaChange } from './sql/schema-changes.ts';
export { schemaMigrations, type Migration } from './sql/schema-sql.ts';
export { sqlBlobs, type SqlRunner } from './sql/sql-blobs.ts';
export {
  plainSql,
  type Sql,
  type SqlCell,
  type SqlConnection,
  type SqlRow,
  type SqlValue,
} from './sql/sql-connection.ts';
export type { SqlDialect, SqlFault } from './sql/sql-dialect.ts';
export { openSqlStorage, type SqlStorageOptions } from './sql/sql-storage.ts';
export { sqlVectors } from './sql/sql-vectors.ts';
export { UnknownCommitError, type Plan } from './sql/sql-transaction.ts';
