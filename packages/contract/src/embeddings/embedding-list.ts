import { z } from 'zod';
import { OperationReceipt } from '../chat/chat-completion.ts';

const Embedding = z.looseObject({
  object: z.literal('embedding'),
  index: z.int().min(0),
  /** Numbers, or the little-endian 32-bit floats of them in base64 where the request asked for it. */
  embedding: z.union([z.array(z.number()), z.string()]),
});

const list = z.looseObject({
  object: z.literal('list'),
  model: z.string(),
  data: z.array(Embedding).min(1),
  usage: z.looseObject({ prompt_tokens: z.int().min(0), total_tokens: z.int().min(0) }).exactOptional(),
});

/** The answer of POST /embeddings; the receipt is read under the host's brand key. */
export type EmbeddingList = Readonly<z.infer<typeof list>>;

// embeddings:response:shape
/** The answer for a brand. Build it once per gateway. */
export const embeddingListSchema = (brand: string): z.ZodType<EmbeddingList> => {
  const shape: typeof list.shape = { ...list.shape, [brand]: OperationReceipt };
  return z.looseObject(shape);
};
