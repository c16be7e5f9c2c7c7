import { schemaFills, schemaMigrations, schemaText } from '@tollgate/storage/sql';
import { sqliteDialect, sqliteJson } from './sqlite-dialect.ts';

/** Pieces of documents; the vector comes before the text, so that a scan of vectors reads no text. */
const chunks = [
  `CREATE TABLE chunk (
  id INTEGER NOT NULL PRIMARY KEY,
  document_id TEXT NOT NULL,
  place INTEGER NOT NULL,
  store_id TEXT NOT NULL,
  page INTEGER,
  start_index INTEGER NOT NULL,
  end_index INTEGER NOT NULL,
  dimensions INTEGER NOT NULL,
  vector BLOB NOT NULL,
  text TEXT NOT NULL
) STRICT`,
  'CREATE UNIQUE INDEX chunk_by_document ON chunk (document_id, place)',
  'CREATE INDEX chunk_by_store ON chunk (store_id, id)',
];

/** The schema's history, oldest first. */
export const migrations = schemaMigrations(sqliteDialect, new Map([...schemaFills(sqliteJson), [5, chunks]]));

/** The SQL of every version of the schema, in the order in which it is run on an empty database. */
export const schemaSql = (): string => schemaText(migrations);
