import type { BatchAnswers } from '@tollgate/engine';
import { planVectors } from '../embeddings/plan-vectors.ts';
import { planContent } from '../generate/plan-content.ts';

/** Items are answered as their own routes answer, without a receipt (batches:result:item-shape). */
export const batchAnswers: BatchAnswers = {
  generation: (generation, operation) => planContent(generation, operation).body,
  embedding: (call, embeddings, operation) => planVectors(call, 'float', embeddings, operation).body,
};
