import { chatBounds, MediaData } from '@tollgate/contract';
import { z } from 'zod';

const { partsPerMessageMax, stopSequencesMax, textFieldCharsMax, nameCharsMax } = chatBounds;

/** Ids and words, which are no content. */
const word = z.string().min(1).max(textFieldCharsMax);

const text = z.looseObject({ type: z.literal('text'), text: z.string() });

/** Media of a block. An address is no source: the gateway fetches none for these clients. */
const source = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('base64'), media_type: word, data: MediaData }),
  z.looseObject({ type: z.literal('text'), media_type: z.literal('text/plain'), data: z.string() }),
  z.looseObject({ type: z.literal('file'), file_id: word }),
]);
export type MediaSource = z.infer<typeof source>;

const image = z.looseObject({ type: z.literal('image'), source });
const document = z.looseObject({ type: z.literal('document'), source, title: z.string().nullish() });

const resultBlock = z.discriminatedUnion('type', [text, image, document]);

/** A block of a message. Members that say nothing to a model, such as `cache_control`, are passed over. */
export const MessageBlock = z.discriminatedUnion('type', [
  text,
  image,
  document,
  z.looseObject({
    type: z.literal('tool_use'),
    id: word,
    name: z.string().min(1).max(nameCharsMax),
    input: z.record(z.string(), z.unknown()),
  }),
  z.looseObject({
    type: z.literal('tool_result'),
    tool_use_id: word,
    content: z.union([z.string(), z.array(resultBlock).max(partsPerMessageMax)]).nullish(),
    is_error: z.boolean().nullish(),
  }),
  z.looseObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string().nullish() }),
  z.looseObject({ type: z.literal('redacted_thinking'), data: z.string() }),
  z.looseObject({
    type: z.literal('server_tool_use'),
    id: word,
    name: z.enum(['code_execution', 'web_search', 'web_fetch']),
    input: z.looseObject({ code: z.string().nullish() }),
  }),
  // The text that cites a search or a page says what the model took from it.
  z.looseObject({ type: z.literal('web_search_tool_result'), tool_use_id: word }),
  z.looseObject({ type: z.literal('web_fetch_tool_result'), tool_use_id: word }),
  z.looseObject({
    type: z.literal('mcp_tool_use'),
    id: word,
    name: z.string().min(1).max(nameCharsMax),
    input: z.record(z.string(), z.unknown()),
  }),
  z.looseObject({
    type: z.literal('mcp_tool_result'),
    tool_use_id: word,
    content: z.union([z.string(), z.array(text).max(partsPerMessageMax)]).nullish(),
    is_error: z.boolean().nullish(),
  }),
  z.looseObject({
    type: z.literal('code_execution_tool_result'),
    tool_use_id: word,
    content: z.looseObject({
      stdout: z.string().nullish(),
      stderr: z.string().nullish(),
      return_code: z.int().nullish(),
    }),
  }),
]);
export type MessageBlock = z.infer<typeof MessageBlock>;
export type ResultBlock = z.infer<typeof resultBlock>;

export const Message = z.looseObject({
  role: z.enum(['user', 'assistant', 'system']),
  content: z.union([z.string(), z.array(z.unknown()).max(partsPerMessageMax)]),
});

export type Message = z.infer<typeof Message>;

/** A tool of the client. */
export const FunctionTool = z.looseObject({
  name: z.string().min(1).max(nameCharsMax),
  description: z.string().nullish(),
  input_schema: z.record(z.string(), z.unknown()),
  strict: z.boolean().nullish(),
});

const parallel = { disable_parallel_tool_use: z.boolean().nullish() };

/** The fields beside the messages and the tools. */
export const MessageFields = z.strictObject({
  model: word,
  max_tokens: z.int().min(1),
  // Read apart; here, so that a refusal of another field names them as well.
  messages: z.unknown().optional(),
  tools: z.unknown().optional(),
  mcp_servers: z.unknown().optional(),
  system: z.union([z.string(), z.array(text).max(partsPerMessageMax)]).nullish(),
  stream: z.boolean().nullish(),
  stop_sequences: z.array(z.string().max(textFieldCharsMax)).max(stopSequencesMax).nullish(),
  temperature: z.number().min(0).max(1).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_k: z.int().min(0).nullish(),
  // What an upstream makes of `auto` is its own choice, as without it.
  service_tier: z.enum(['auto', 'standard_only']).nullish(),
  tool_choice: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('auto'), ...parallel }),
      z.strictObject({ type: z.literal('any'), ...parallel }),
      z.strictObject({ type: z.literal('tool'), name: z.string().max(nameCharsMax), ...parallel }),
      z.strictObject({ type: z.literal('none') }),
    ])
    .nullish(),
  thinking: z
    .discriminatedUnion('type', [
      z.looseObject({ type: z.literal('enabled'), budget_tokens: z.int().min(0) }),
      z.looseObject({ type: z.literal('adaptive') }),
      z.looseObject({ type: z.literal('disabled') }),
    ])
    .nullish(),
  output_config: z
    .looseObject({
      effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).nullish(),
      format: z.looseObject({ type: z.literal('json_schema'), schema: z.record(z.string(), z.unknown()) }).nullish(),
    })
    .nullish(),
});
export type MessageFields = z.infer<typeof MessageFields>;
