import { z } from 'zod';
import { MediaData } from '../media/lifted-data.ts';
import { chatBounds, embeddingBounds, limits } from '../limits.ts';
import { optionalUnion } from '../fields/optional-union.ts';

const { textsMax, dimensionsMin, dimensionsMax } = limits.embedding;

// embeddings:body:task-type
/** What a vector is for. */
export const embeddingTasks = [
  'RETRIEVAL_QUERY',
  'RETRIEVAL_DOCUMENT',
  'SEMANTIC_SIMILARITY',
  'CLASSIFICATION',
  'CLUSTERING',
  'QUESTION_ANSWERING',
  'FACT_VERIFICATION',
  'CODE_RETRIEVAL_QUERY',
] as const;

// embeddings:body:content-flags
/** What a model may be asked to do with content beside reading it. */
export const embeddingFlags = ['document_ocr', 'audio_track_extraction'] as const;
export type EmbeddingFlag = (typeof embeddingFlags)[number];

/** Parts of one content; the contract states no number. */
export const embeddingPartsMax = 100;
const text = z.string().min(1);

const InlineDataPart = z.strictObject({ inlineData: z.strictObject({ mimeType: z.string(), data: MediaData }) });
const FileDataPart = z.strictObject({ fileData: z.strictObject({ fileUri: z.string() }) });
const CompatFileDataPart = z.strictObject({
  fileData: z.strictObject({ fileUri: z.string(), mimeType: z.string().exactOptional() }),
});
/** Only clients of the alias routes mix text into content. */
const TextPart = z.strictObject({ text });

const flags = {
  document_ocr: z.boolean().exactOptional(),
  audio_track_extraction: z.boolean().exactOptional(),
};

const contentOf = <T extends z.ZodType>(part: T) =>
  z.strictObject({ parts: z.array(part).min(1).max(embeddingPartsMax), ...flags }).exactOptional();

const inputOf = (most: number) => optionalUnion(z.union([text, z.array(text).min(1).max(most)]));

const fields = {
  model: z.string().min(1).max(chatBounds.textFieldCharsMax).exactOptional(),
  /** Beside the content as well as inside it, as the contract names them without saying where. */
  ...flags,
  dimensions: z.int().min(dimensionsMin).max(dimensionsMax).exactOptional(),
  task_type: z.enum(embeddingTasks).exactOptional(),
  title: z.string().max(chatBounds.textFieldCharsMax).exactOptional(),
  encoding_format: z.enum(['float', 'base64']).default('float'),
};

/** The body of POST /embeddings as the contract publishes it. `parseEmbeddingRequest` checks more than a schema can. */
export const EmbeddingRequestBody = z.strictObject({
  ...fields,
  input: inputOf(textsMax),
  content: contentOf(z.union([InlineDataPart, FileDataPart])),
});

/** The same with what the compatibility options add. */
export const CompatEmbeddingBody = z.strictObject({
  ...fields,
  /** How many are taken is counted before. */
  input: inputOf(embeddingBounds.textsCeiling),
  content: contentOf(z.union([InlineDataPart, CompatFileDataPart, TextPart])),
  user: z.string().max(chatBounds.textFieldCharsMax).exactOptional(),
});
export type EmbeddingBody = z.infer<typeof CompatEmbeddingBody>;
export type EmbeddingWirePart = NonNullable<EmbeddingBody['content']>['parts'][number];
