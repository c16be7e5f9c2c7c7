import {
  asArray,
  asCount,
  asObject,
  UnknownOutcome,
  withUsageAtLeast,
  type Embeddings,
  type Usage,
} from '@tollgate/provider';

/**
 * Reads the body of a 2xx answer: a vector for each of `inputs`, in their order, whatever order they came in. Throws only
 * `UnknownOutcome`, where vectors are missing.
 */
export const fromOpenaiEmbedding = (body: unknown, inputs: number): Embeddings => {
  const usage = readUsage(asObject(body)?.['usage']);
  try {
    return { vectors: readVectors(body, inputs), usage };
  } catch (failure) {
    throw withUsageAtLeast(failure, usage);
  }
};

const readVectors = (body: unknown, inputs: number): Embeddings['vectors'] => {
  const answer = asObject(body);
  const vectors = new Map<number, readonly number[]>();
  for (const [position, value] of asArray(answer?.['data']).entries()) {
    const item = asObject(value);
    vectors.set(asCount(item?.['index']) ?? position, readVector(item?.['embedding']));
  }
  const inOrder = Array.from({ length: inputs }, (_, index) => vectors.get(index));
  return inOrder.map(present);
};

const present = (vector: readonly number[] | undefined): readonly number[] => {
  if (vector === undefined) throw new UnknownOutcome('unreadable_answer');
  return vector;
};

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

const readVector = (value: unknown): readonly number[] => {
  const entries = asArray(value);
  const numbers = entries.filter(isNumber);
  if (numbers.length === 0 || numbers.length !== entries.length) throw new UnknownOutcome('unreadable_answer');
  return numbers;
};

/** An embedding has no output, so that its total is its input. */
const readUsage = (value: unknown): readonly Usage[] => {
  const usage = asObject(value);
  const quantity = asCount(usage?.['prompt_tokens']) ?? asCount(usage?.['total_tokens']);
  return quantity === undefined ? [] : [{ unit: 'embedding_tokens', quantity, confirmed: true }];
};
