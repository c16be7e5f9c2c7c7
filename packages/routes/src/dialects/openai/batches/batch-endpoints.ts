import { chatReader, embeddingReader, generationReader, type ItemReader } from '../../batches/item-reader.ts';
import { completions } from '../completions.ts';
import { responses } from '../responses/responses.ts';

/** What a batch of a file can ask, by the path that its lines name. */
export const batchEndpoints = {
  '/v1/chat/completions': chatReader,
  '/v1/responses': generationReader(responses),
  '/v1/completions': generationReader(completions),
  '/v1/embeddings': embeddingReader,
} as const satisfies Readonly<Record<string, ItemReader>>;

export type BatchEndpoint = keyof typeof batchEndpoints;
