import type { EmbeddingCall, Embeddings } from './embedding.ts';
import type { Generation, GenerationCall } from './generation.ts';
import type { NotExecutedReason } from './not-executed-reason.ts';

export interface BatchCall {
  readonly operationId: string;
  readonly upstreamModel: string;
  readonly displayName: string | null;
  readonly items: readonly BatchCallItem[];
}

export type BatchCallItem = { readonly key: string } & (
  | { readonly kind: 'generation'; readonly call: GenerationCall }
  | { readonly kind: 'embedding'; readonly call: EmbeddingCall }
);

export type BatchResultItem = { readonly key: string } & (
  | { readonly kind: 'generation'; readonly generation: Generation }
  | { readonly kind: 'embedding'; readonly embeddings: Embeddings }
  | { readonly kind: 'failed'; readonly reason: NotExecutedReason }
  | { readonly kind: 'cancelled' }
);

export interface BatchResult {
  /** One for each item, in any order. */
  readonly items: readonly BatchResultItem[];
}
