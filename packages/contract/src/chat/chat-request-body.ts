import { z } from 'zod';
import { StrictMessage } from './chat-message.ts';
import { strictTools, ToolChoice } from './chat-tool.ts';
import { chatBounds, limits } from '../limits.ts';
import { optionalUnion } from '../fields/optional-union.ts';
import { StrictResponseFormat } from './response-format.ts';

const { messagesMin, messagesMax, temperatureMin, temperatureMax, temperatureDefault } = limits.chat;
const temperature = z.number().min(temperatureMin).max(temperatureMax);

/** Everything but the messages, as the contract writes it. What a temperature is where none is sent, the model says. */
export const StrictFields = z.strictObject({
  model: z.string().min(1).max(chatBounds.textFieldCharsMax).exactOptional(),
  temperature: temperature.exactOptional(),
  stream: z.boolean().default(false),
  stream_options: z.strictObject({ include_usage: z.boolean().exactOptional() }).exactOptional(),
  tool_choice: optionalUnion(ToolChoice),
  response_format: StrictResponseFormat.exactOptional(),
  tools: strictTools.exactOptional(),
});

/** The body of POST /chat/completions as the contract publishes it. `parseChatRequest` checks more than a schema can. */
export const ChatRequestBody = z.strictObject({
  messages: z.array(StrictMessage).min(messagesMin).max(messagesMax),
  ...StrictFields.shape,
  temperature: temperature.default(temperatureDefault),
});
export type ChatRequestBody = z.infer<typeof ChatRequestBody>;
