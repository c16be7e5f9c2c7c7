import { changesOfKit } from './schema-changes.ts';
import { createIndex, ownTable, schemaMigrations, type Migration } from './schema-sql.ts';
import { plainSql, type Sql } from './sql-connection.ts';
import type { SchemaDialect, StatementDialect } from './sql-dialect.ts';

const blobTables = (dialect: SchemaDialect): readonly string[] => {
  const { id, integer, bytes, serial } = dialect.types;
  return [
    ownTable(dialect, 'stored_blob', [
      `id ${id} NOT NULL PRIMARY KEY`,
      `upload ${id} NOT NULL`,
      `size_bytes ${integer} NOT NULL`,
    ]),
    ownTable(dialect, 'blob_part', [
      `number ${serial}`,
      `blob_id ${id} NOT NULL`,
      `upload ${id} NOT NULL`,
      `seq ${integer} NOT NULL`,
      `bytes ${bytes} NOT NULL`,
    ]),
    ...createIndex(dialect, { table: 'blobPart', name: 'blob_part_of', fields: ['blobId'] }),
    ...createIndex(dialect, { table: 'blobPart', name: 'blob_part_upload', fields: ['upload', 'seq'] }),
  ];
};

const chunkTable = (dialect: SchemaDialect): readonly string[] => {
  const { id, text, integer, bytes, serial } = dialect.types;
  return [
    ownTable(dialect, 'chunk', [
      `number ${serial}`,
      `document_id ${id} NOT NULL`,
      `place ${integer} NOT NULL`,
      `store_id ${id} NOT NULL`,
      `page ${integer}`,
      `start_index ${integer} NOT NULL`,
      `end_index ${integer} NOT NULL`,
      `text ${text} NOT NULL`,
      `dimensions ${integer} NOT NULL`,
      `vector ${bytes} NOT NULL`,
    ]),
    ...createIndex(dialect, { table: 'chunk', name: 'chunk_of', fields: ['documentId', 'place'] }),
    ...createIndex(dialect, { table: 'chunk', name: 'chunk_store', fields: ['storeId', 'number'] }),
  ];
};

const lockNames = ['records', 'chunks'] as const;

/** What `guardSql` locks. */
const lockTable = (dialect: SchemaDialect): readonly string[] => [
  ownTable(dialect, 'lock_row', [`id ${dialect.types.id} NOT NULL PRIMARY KEY`]),
  ...lockNames.map((name) => `INSERT INTO ${dialect.quoted('lock_row')} (${dialect.quoted('id')}) VALUES ('${name}')`),
];

/** Takes a lock that others have until their transactions end; `alone`, or together with others that do not want it alone. */
export const guardSql = (dialect: StatementDialect, name: (typeof lockNames)[number], alone: boolean): Sql =>
  plainSql(
    `SELECT ${dialect.quoted('id')} FROM ${dialect.table('lock_row')} WHERE ${dialect.quoted('id')} = '${name}'${alone ? dialect.forUpdate : dialect.forShare}`,
  );

/** The schema of a storage over the whole kit, which keeps blobs, chunks and locks in tables of its own. */
export const kitMigrations = (dialect: SchemaDialect): readonly Migration[] => {
  const own = [...lockTable(dialect), ...blobTables(dialect), ...chunkTable(dialect)];
  return schemaMigrations(dialect, new Map([[1, own]]), changesOfKit);
};
