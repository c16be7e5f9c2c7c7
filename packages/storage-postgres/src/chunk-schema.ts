/** Pieces of documents. Vectors are plain arrays, which pgvector can read as its own where the database has it. */
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
  vector real[] NOT NULL,
  UNIQUE (document_id, place)
);
ALTER TABLE chunk ALTER COLUMN vector SET STORAGE EXTERNAL;
CREATE INDEX chunk_by_store ON chunk (store_id, id);
`;
