import { asArray, asCount, asObject, UnknownOutcome } from '@tollgate/provider';

export interface ReadEmbeddings {
  readonly vectors: readonly (readonly number[])[];
  /** Tokens of the input; undefined where the upstream does not say. */
  readonly tokens: number | undefined;
}

/**
 * Reads the vectors of either request. Throws `UnknownOutcome` where there are not as many as inputs, or one is no list of
 * numbers: the upstream worked, and nothing can be made of it.
 */
export const fromGoogleEmbeddings = (body: unknown, count: number): ReadEmbeddings => {
  const answer = asObject(body);
  const one = asObject(answer?.['embedding']);
  const given = one === undefined ? asArray(answer?.['embeddings']) : [one];
  const vectors = given.map((value) => asArray(asObject(value)?.['values']));
  if (vectors.length !== count || !vectors.every(isVector)) throw new UnknownOutcome('unreadable_answer');
  const usage = asObject(answer?.['usageMetadata']);
  return { vectors, tokens: asCount(usage?.['promptTokenCount']) ?? asCount(usage?.['totalTokenCount']) };
};

const isVector = (values: readonly unknown[]): values is readonly number[] =>
  values.length > 0 && values.every((value) => typeof value === 'number' && Number.isFinite(value));
