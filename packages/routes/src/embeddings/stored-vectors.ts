/** The stored body of an embedding, as `planVectors` wrote it. */
interface StoredVectors {
  readonly data: readonly { readonly embedding: readonly number[] }[];
}

/** The vectors of a stored embedding, which was asked for as numbers. */
export const storedVectors = (body: string): readonly (readonly number[])[] => {
  // Written by `planVectors` and stored by us alone, so its shape is known.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { data } = JSON.parse(body) as StoredVectors;
  return data.map(({ embedding }) => embedding);
};
