import { chatBounds, MediaData } from '@tollgate/contract';
import { z } from 'zod';

const { partsPerMessageMax, textFieldCharsMax, nameCharsMax, metadataEntriesMax } = chatBounds;

/** Ids and words, which are no content. */
const word = z.string().min(1).max(textFieldCharsMax);
const name = z.string().min(1).max(nameCharsMax);

const part = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('input_text'), text: z.string() }),
  z.looseObject({ type: z.literal('output_text'), text: z.string() }),
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('refusal'), refusal: z.string() }),
  z.looseObject({
    type: z.literal('input_image'),
    image_url: MediaData.nullish(),
    file_id: word.nullish(),
    detail: z.enum(['auto', 'low', 'high', 'original']).nullish(),
  }),
  z.looseObject({
    type: z.literal('input_file'),
    file_data: MediaData.nullish(),
    file_id: word.nullish(),
    filename: z.string().max(textFieldCharsMax).nullish(),
  }),
]);
export type ContentPart = z.infer<typeof part>;

const content = z.union([z.string(), z.array(part).max(partsPerMessageMax)]);

export const MessageItem = z.looseObject({ role: z.enum(['user', 'assistant', 'system', 'developer']), content });

const summary = z.looseObject({ text: z.string() });

/** An item of a conversation that is no message. Members that say nothing to a model are passed over. */
export const CallItem = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('function_call'), call_id: word, name, arguments: z.string() }),
  z.looseObject({ type: z.literal('function_call_output'), call_id: word, output: content }),
  z.looseObject({ type: z.literal('custom_tool_call'), call_id: word, name, input: z.string() }),
  z.looseObject({ type: z.literal('custom_tool_call_output'), call_id: word, output: content }),
  z.looseObject({
    type: z.literal('reasoning'),
    summary: z.array(summary).max(partsPerMessageMax).nullish(),
    encrypted_content: z.string().nullish(),
  }),
  z.looseObject({
    type: z.literal('code_interpreter_call'),
    id: word,
    code: z.string().nullish(),
    outputs: z
      .array(z.looseObject({ logs: z.string().nullish() }))
      .max(partsPerMessageMax)
      .nullish(),
  }),
  z.looseObject({
    type: z.literal('image_generation_call'),
    result: MediaData.nullish(),
    encrypted_content: z.string().nullish(),
  }),
  // The text that cites a search says what the model took from it.
  z.looseObject({ type: z.literal('web_search_call') }),
  z.looseObject({ type: z.literal('file_search_call') }),
  z.looseObject({ type: z.literal('mcp_list_tools') }),
  z.looseObject({
    type: z.literal('mcp_call'),
    id: word,
    name,
    arguments: z.string(),
    output: z.string().nullish(),
    error: z.unknown(),
  }),
]);
export type CallItem = z.infer<typeof CallItem>;
export type MessageItem = z.infer<typeof MessageItem>;

export const FunctionTool = z.looseObject({
  name,
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  strict: z.boolean().nullish(),
});
export const CustomTool = z.looseObject({ name, description: z.string().nullish() });
export const Namespace = z.looseObject({ name, tools: z.array(z.unknown()).max(chatBounds.toolsMax) });

const named = z.looseObject({ type: z.enum(['function', 'custom']), name });

const format = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object') }),
  z.looseObject({
    type: z.literal('json_schema'),
    name,
    schema: z.record(z.string(), z.unknown()),
    strict: z.boolean().nullish(),
    description: z.string().nullish(),
  }),
]);

const metadata = z
  .record(z.string().max(textFieldCharsMax), z.string().max(textFieldCharsMax))
  .meta({ maxProperties: metadataEntriesMax });

/** The fields beside the input and the tools. Those with one value say what happens in any case. */
export const ResponseFields = z.strictObject({
  model: word.nullish(),
  // Read apart; here, so that a refusal of another field names them as well.
  input: z.unknown().optional(),
  tools: z.unknown().optional(),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  store: z.boolean().nullish(),
  previous_response_id: word.nullish(),
  tool_choice: z
    .union([
      z.enum(['auto', 'none', 'required']),
      named,
      z.looseObject({ type: z.literal('image_generation') }),
      z.looseObject({
        type: z.literal('allowed_tools'),
        mode: z.enum(['auto', 'required']),
        tools: z.array(named).max(chatBounds.toolsMax),
      }),
    ])
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  reasoning: z
    .looseObject({
      effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).nullish(),
      summary: z.enum(['auto', 'concise', 'detailed', 'none']).nullish(),
    })
    .nullish(),
  max_output_tokens: z.int().min(1).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  text: z.looseObject({ format: format.nullish() }).nullish(),
  metadata: metadata.nullish(),
  user: z.string().max(textFieldCharsMax).nullish(),
  service_tier: z.enum(['auto', 'default', 'flex', 'priority']).nullish(),
  max_tool_calls: z.int().min(1).nullish(),
  background: z.boolean().nullish(),
  include: z.array(z.string().max(textFieldCharsMax)).max(chatBounds.toolsMax).nullish(),
  truncation: z.literal('disabled').nullish(),
  top_logprobs: z.literal(0).nullish(),
});
export type ResponseFields = z.infer<typeof ResponseFields>;
