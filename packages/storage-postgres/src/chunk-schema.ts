/** Pieces of documents. Vectors are bytes, which are quick to fetch; where the database has pgvector, arrays that it can read, too. */
export const chunkSchema = `
CREATE TABLE chunk (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  document_id text COLLATE "C" NOT NULL,
  place bigint NOT NULL,
  store_id text COLLATE "C" NOT NULL,
  page bigint,
  start_index bigint NOT NULL,
  end_index bigint NOT NULL,
  text text NOT NULL,
  vector bytea NOT NULL,
  elements real[],
  UNIQUE (document_id, place)
);
ALTER TABLE chunk ALTER COLUMN vector SET STORAGE EXTERNAL, ALTER COLUMN elements SET STORAGE EXTERNAL;
CREATE INDEX chunk_by_store ON chunk (store_id, id);
`;
