import { z } from 'zod';
import { StrictMessage } from './chat-message.ts';
import { compatTools, strictTools, ToolChoice } from './chat-tool.ts';
import { chatBounds, limits } from './limits.ts';
import { optionalUnion } from './optional-union.ts';
import { CompatResponseFormat, StrictResponseFormat } from './response-format.ts';

const { messagesMin, messagesMax, temperatureMin, temperatureMax, temperatureDefault } = limits.chat;
const textField = z.string().min(1).max(chatBounds.textFieldCharsMax);

/** Counted before its values are looked at, so that a very long one costs one fault and not one per entry. */
const isMetadata = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries: readonly unknown[] = Object.values(value);
  return (
    entries.length <= chatBounds.metadataEntriesMax &&
    entries.every((entry) => typeof entry === 'string' && entry.length <= chatBounds.textFieldCharsMax)
  );
};

const shared = {
  model: textField.exactOptional(),
  temperature: z.number().min(temperatureMin).max(temperatureMax).default(temperatureDefault),
  stream: z.boolean().default(false),
  stream_options: z.strictObject({ include_usage: z.boolean().exactOptional() }).exactOptional(),
  tool_choice: optionalUnion(ToolChoice),
};

/** Everything but the messages, as the contract writes it. */
export const StrictFields = z.strictObject({
  ...shared,
  response_format: StrictResponseFormat.exactOptional(),
  tools: strictTools.exactOptional(),
});

/** The same with what the compatibility option adds: forwarded to the provider, never silently dropped. */
export const CompatFields = z.strictObject({
  ...shared,
  response_format: CompatResponseFormat.exactOptional(),
  tools: compatTools.exactOptional(),
  max_tokens: z.int().min(1).exactOptional(),
  max_completion_tokens: z.int().min(1).exactOptional(),
  top_p: z.number().min(0).max(1).exactOptional(),
  stop: optionalUnion(z.union([textField, z.array(textField).min(1).max(chatBounds.stopSequencesMax)])),
  seed: z.int().exactOptional(),
  user: z.string().max(chatBounds.textFieldCharsMax).exactOptional(),
  parallel_tool_calls: z.boolean().exactOptional(),
  n: z.literal(1).exactOptional(),
  store: z.literal(false).exactOptional(),
  metadata: z.custom<Readonly<Record<string, string>>>(isMetadata).exactOptional(),
});
export type ChatFields = z.infer<typeof CompatFields>;

/** The body of POST /chat/completions as the contract publishes it. `parseChatRequest` checks more than a schema can. */
export const ChatRequestBody = z.strictObject({
  messages: z.array(StrictMessage).min(messagesMin).max(messagesMax),
  ...StrictFields.shape,
});
export type ChatRequestBody = z.infer<typeof ChatRequestBody>;
