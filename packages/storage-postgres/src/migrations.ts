import { schemaFills, schemaMigrations, schemaText, type Migration } from '@tollgate/storage/sql';
import { postgresJson, postgresSchema } from './postgres-dialect.ts';

const text = 'text COLLATE "C"';

/** Small blobs in one row, and when operations are due. */
const first = [
  ...['operation_open', 'operation_kept'].flatMap((table) => [
    `CREATE TABLE ${table} (due_at_ms bigint NOT NULL, id ${text} NOT NULL)`,
    `CREATE INDEX ${table}_due ON ${table} (due_at_ms)`,
  ]),
  `CREATE TABLE blob (key ${text} PRIMARY KEY, bytes bytea NOT NULL)`,
  'ALTER TABLE blob ALTER COLUMN bytes SET STORAGE EXTERNAL',
];

/** Blobs that come in chunks. */
const blobParts = [
  `ALTER TABLE blob ADD COLUMN upload ${text}, ADD COLUMN size_bytes bigint, ADD COLUMN part_bytes bigint`,
  `CREATE TABLE blob_part (
  key ${text} NOT NULL,
  upload ${text} NOT NULL,
  seq bigint NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (key, upload, seq)
)`,
  'ALTER TABLE blob_part ALTER COLUMN bytes SET STORAGE EXTERNAL',
];

/** Pieces of documents. Vectors are bytes, which are quick to fetch; where the database has pgvector, arrays that it can read, too. */
const chunks = [
  `CREATE TABLE chunk (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  document_id ${text} NOT NULL,
  place bigint NOT NULL,
  store_id ${text} NOT NULL,
  page bigint,
  start_index bigint NOT NULL,
  end_index bigint NOT NULL,
  text text NOT NULL,
  vector bytea NOT NULL,
  elements real[],
  UNIQUE (document_id, place)
)`,
  'ALTER TABLE chunk ALTER COLUMN vector SET STORAGE EXTERNAL, ALTER COLUMN elements SET STORAGE EXTERNAL',
  'CREATE INDEX chunk_by_store ON chunk (store_id, id)',
];

/** The schema's history, oldest first. */
export const migrations: readonly Migration[] = schemaMigrations(
  postgresSchema,
  new Map([...schemaFills(postgresJson), [1, first], [2, blobParts], [5, chunks]]),
);

/** The SQL of every version of the schema, in the order in which it is run on an empty database. */
export const schemaSql = (): string => schemaText(migrations);
