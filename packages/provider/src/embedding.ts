import type { Part } from './content.ts';
import type { Usage } from './usage.ts';

/** What a vector is for, in the contract's spelling. */
export type EmbeddingTask =
  | 'RETRIEVAL_QUERY'
  | 'RETRIEVAL_DOCUMENT'
  | 'SEMANTIC_SIMILARITY'
  | 'CLASSIFICATION'
  | 'CLUSTERING'
  | 'QUESTION_ANSWERING'
  | 'FACT_VERIFICATION'
  | 'CODE_RETRIEVAL_QUERY';

export type EmbeddingInput =
  /** One vector for each text. */
  | { readonly kind: 'texts'; readonly texts: readonly string[] }
  /** One vector for all parts together. */
  | {
      readonly kind: 'content';
      readonly parts: readonly Part[];
      readonly documentOcr?: boolean;
      readonly audioTrackExtraction?: boolean;
    };

export interface EmbeddingCall {
  readonly operationId: string;
  /** The upstream's name of the model. */
  readonly upstreamModel: string;
  readonly input: EmbeddingInput;
  readonly dimensions?: number;
  readonly task?: EmbeddingTask;
  /** Of a document; only with `RETRIEVAL_DOCUMENT`. */
  readonly title?: string;
  /** The client's own name of its end user, where it sent one and the host allows it. */
  readonly endUser?: string;
}

/** Vectors in the order of the input. Input that is too long is refused and never cut. */
export interface Embeddings {
  readonly vectors: readonly (readonly number[])[];
  /** An empty list means that nothing was measured, and makes the operation uncertain. */
  readonly usage: readonly Usage[];
}
