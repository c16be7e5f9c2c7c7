import { z } from 'zod';
import { OperationReceipt } from '../chat/chat-completion.ts';
import { codeOutcomes } from './generate-part.ts';

const modifiers = {
  thought: z.literal(true).exactOptional(),
  // generate:thought-signature
  /** To be sent back unchanged with the part. */
  thoughtSignature: z.string().exactOptional(),
};

// generate:response:parts
/** A part of an answer. */
const part = z.union([
  z.looseObject({ text: z.string(), ...modifiers }),
  z.looseObject({ inlineData: z.looseObject({ mimeType: z.string(), data: z.string() }), ...modifiers }),
  z.looseObject({
    functionCall: z.looseObject({ id: z.string(), name: z.string(), args: z.looseObject({}) }),
    ...modifiers,
  }),
  z.looseObject({
    executableCode: z.looseObject({ id: z.string().exactOptional(), language: z.string(), code: z.string() }),
    ...modifiers,
  }),
  z.looseObject({
    codeExecutionResult: z.looseObject({
      id: z.string().exactOptional(),
      outcome: z.enum(codeOutcomes),
      output: z.string(),
    }),
    ...modifiers,
  }),
]);

const candidate = z.looseObject({
  index: z.literal(0),
  content: z.looseObject({ role: z.literal('model'), parts: z.array(part) }),
  /** Absent from the incremental events of a stream. */
  finishReason: z.string().exactOptional(),
});

// generate:response:usage-withheld
/** Counts of tokens, shown where a host asks for them. */
const usage = z.looseObject({
  promptTokenCount: z.int().min(0),
  candidatesTokenCount: z.int().min(0),
  totalTokenCount: z.int().min(0),
});

const response = z.looseObject({
  candidates: z.array(candidate).length(1).exactOptional(),
  // generate:response:prompt-block
  /** Why the prompt itself was refused; there are no candidates then. */
  promptFeedback: z.looseObject({ blockReason: z.string() }).exactOptional(),
  // generate:response:ids
  /** The public id of the model. */
  modelVersion: z.string(),
  // generate:response:ids
  /** The id of the operation. */
  responseId: z.uuid(),
  usageMetadata: usage.exactOptional(),
});

/** The unary answer of generateContent; the receipt is read under the host's brand key. */
export type ContentResponse = Readonly<z.infer<typeof response>>;

/** The unary answer for a brand. Build it once per gateway. */
export const contentResponseSchema = (brand: string): z.ZodType<ContentResponse> => {
  const shape: typeof response.shape = { ...response.shape, [brand]: OperationReceipt };
  return z.looseObject(shape);
};

// stream:generate:increments-plain
/** An incremental event of the stream, which has no receipt of its own. */
export const contentResponseEventSchema = (): z.ZodType<ContentResponse> => response;
