import type { PlannedAnswer } from '@tollgate/engine';
import type { EmbeddingCall, Embeddings } from '@tollgate/provider';
import type { OperationRecord } from '@tollgate/storage';

export type EncodingFormat = 'float' | 'base64';

const floatBytes = 4;

// embeddings:body:encoding-format
/** Little-endian 32-bit floats, whatever machine this runs on. */
const toBase64 = (vector: readonly number[]): string => {
  const bytes = Buffer.allocUnsafe(vector.length * floatBytes);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * floatBytes);
  return bytes.toString('base64');
};

/** Throws where a provider returns something other than was requested: it ran with an unknown result. */
const checkVectors = ({ input, dimensions }: Omit<EmbeddingCall, 'operationId'>, { vectors }: Embeddings): void => {
  const count = input.kind === 'texts' ? input.texts.length : 1;
  if (vectors.length !== count) throw new Error(`${vectors.length} vectors for ${count} inputs`);
  for (const vector of vectors) {
    if (vector.length !== (dimensions ?? vector.length) || vector.length === 0)
      throw new Error(`a vector of ${vector.length} dimensions`);
    if (!vector.every(Number.isFinite)) throw new Error('a vector holds what is no number');
  }
};

// embeddings:response:shape
/** What is stored of an embedding: the answer without its credits, which the debit adds. */
export const planVectors = (
  call: Omit<EmbeddingCall, 'operationId'>,
  encoding: EncodingFormat,
  embeddings: Embeddings,
  operation: OperationRecord,
): PlannedAnswer => {
  checkVectors(call, embeddings);
  const data = embeddings.vectors.map((vector, index) => ({
    object: 'embedding',
    index,
    embedding: encoding === 'base64' ? toBase64(vector) : vector,
  }));
  return { body: JSON.stringify({ object: 'list', model: operation.model, data }), toolContexts: [] };
};
