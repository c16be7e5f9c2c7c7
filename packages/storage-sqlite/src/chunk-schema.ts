/** Pieces of documents; the vector comes before the text, so that a scan of vectors reads no text. */
export const chunkSchema = `
CREATE TABLE chunk (
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
) STRICT;
CREATE UNIQUE INDEX chunk_by_document ON chunk (document_id, place);
CREATE INDEX chunk_by_store ON chunk (store_id, id);
`;
