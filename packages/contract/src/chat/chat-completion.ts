import { z } from 'zod';

// chat:response:service
/** What an operation cost and where it can be queried; stands under the brand's key. */
export const OperationReceipt = z.looseObject({
  request_id: z.uuid(),
  project_id: z.uuid(),
  credits: z.number().min(0),
});
export type OperationReceipt = Readonly<z.infer<typeof OperationReceipt>>;

// chat:response:finish-with-tools
/** Why the text ended. `tool_calls` appears only where the host or its compatible mode asks for it. */
export const finishReasons = ['stop', 'length', 'content_filter', 'tool_calls'] as const;
export type FinishReason = (typeof finishReasons)[number];

// chat:usage:unary-option, stream:chat:usage
/** Token counts, shown when a host or a stream asks for them. */
export const ChatUsage = z.looseObject({
  prompt_tokens: z.int().min(0),
  completion_tokens: z.int().min(0),
  total_tokens: z.int().min(0),
});
export type ChatUsage = Readonly<z.infer<typeof ChatUsage>>;

const call = {
  id: z.string(),
  type: z.literal('function'),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
};
const ToolCall = z.looseObject(call);
// stream:chat:tool-call-index
/** Streamed calls carry their index, without which client libraries lose them. */
const StreamedToolCall = z.looseObject({ index: z.int().min(0), ...call });

const id = z.string().regex(/^chatcmpl-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const created = z.int().min(0);

const message = z.looseObject({
  role: z.literal('assistant'),
  content: z.string().nullable(),
  tool_calls: z.array(ToolCall).exactOptional(),
  // chat:message:context-return
  /** To be sent back unchanged. */
  context: z.string().exactOptional(),
});

const completion = z.looseObject({
  id,
  object: z.literal('chat.completion'),
  created,
  model: z.string(),
  choices: z.array(z.looseObject({ index: z.literal(0), message, finish_reason: z.enum(finishReasons) })).length(1),
  usage: ChatUsage.exactOptional(),
});

const delta = z.looseObject({
  role: z.literal('assistant').exactOptional(),
  content: z.string().nullable().exactOptional(),
  tool_calls: z.array(StreamedToolCall).exactOptional(),
  context: z.string().exactOptional(),
});

const chunk = z.looseObject({
  id,
  object: z.literal('chat.completion.chunk'),
  created,
  model: z.string(),
  choices: z
    .array(z.looseObject({ index: z.literal(0), delta, finish_reason: z.enum(finishReasons).nullable() }))
    .length(1),
  usage: ChatUsage.exactOptional(),
});

/** The unary answer of chat; the receipt is read under the host's brand key. */
export type ChatCompletion = Readonly<z.infer<typeof completion>>;
/**
 * One event of the chat stream; the receipt is on the last one, under the host's brand key. A stream that is sent in time
 * ends with a further chunk, which has usage and no choice, if the client asked for usage.
 */
export type ChatCompletionChunk = Readonly<z.infer<typeof chunk>>;

// chat:response:fields
/** The unary answer for a brand. Build it once per gateway. */
export const chatCompletionSchema = (brand: string): z.ZodType<ChatCompletion> => {
  const shape: typeof completion.shape = { ...completion.shape, [brand]: OperationReceipt };
  return z.looseObject(shape);
};

// stream:chat:first-chunk, stream:chat:second-chunk
/** An event of the chat stream for a brand. */
export const chatCompletionChunkSchema = (brand: string): z.ZodType<ChatCompletionChunk> => {
  const shape: typeof chunk.shape = { ...chunk.shape, [brand]: OperationReceipt.exactOptional() };
  return z.looseObject(shape);
};
