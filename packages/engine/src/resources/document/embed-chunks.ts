import type { EmbeddingCall, Embeddings, EmbeddingTask } from '@tollgate/provider';
import type { ModelRoute } from '../model-route.ts';

export interface TextsToEmbed {
  readonly operationId: string;
  readonly texts: readonly string[];
  readonly dimensions: number | null;
  readonly task: EmbeddingTask;
}

export const toEmbeddingCall = (
  { upstreamModel }: ModelRoute,
  { operationId, texts, dimensions, task }: TextsToEmbed,
): EmbeddingCall => ({
  operationId,
  upstreamModel,
  input: { kind: 'texts', texts },
  ...(dimensions === null ? {} : { dimensions }),
  task,
});

/** The vectors, as many and as long as were asked for, or a throw: it ran with an unknown result. */
export const toVectors = ({ texts, dimensions }: TextsToEmbed, { vectors }: Embeddings): readonly Float32Array[] => {
  if (vectors.length !== texts.length) throw new Error(`${vectors.length} vectors for ${texts.length} texts`);
  return vectors.map((vector) => {
    if (vector.length === 0 || vector.length !== (dimensions ?? vector.length))
      throw new Error(`a vector of ${vector.length} dimensions`);
    if (!vector.every(Number.isFinite)) throw new Error('a vector holds what is no number');
    if (vector.every((value) => value === 0)) throw new Error('a vector without a direction');
    return Float32Array.from(vector);
  });
};
