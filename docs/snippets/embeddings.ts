import type OpenAI from 'openai';
import { defaultCatalog, type CatalogModel } from 'tollgate';

// #region embed
export const embedAll = async (client: OpenAI, texts: readonly string[]) => {
  const asked = {
    model: 'embedding-2',
    input: [...texts],
    dimensions: 768,
    encoding_format: 'float' as const,
    // Unknown to this library, which sends it anyway.
    task_type: 'RETRIEVAL_DOCUMENT',
  };
  const { data } = await client.embeddings.create(asked);
  return data.map(({ embedding }) => embedding);
};
// #endregion embed

// #region catalog
/** The default catalog, in which every embedding model supports only two vector lengths. */
export const catalog: readonly CatalogModel[] = defaultCatalog.map((row) =>
  row.embedding === undefined
    ? row
    : { ...row, embedding: { ...row.embedding, dimensions: { kind: 'list', values: [768, 3072] } } },
);
// #endregion catalog
