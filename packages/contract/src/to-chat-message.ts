import type { ChatMessage, ChatToolCall, WireMessage } from './chat-message.ts';
import { GatewayError } from './gateway-error.ts';
import { isDeeperThan } from './json-depth.ts';
import { chatBounds } from './limits.ts';
import { toChatPart } from './to-chat-part.ts';

type Wire<R extends WireMessage['role']> = Extract<WireMessage, { role: R }>;
type WireCall = NonNullable<Wire<'assistant'>['tool_calls']>[number];

/** Tells whether text is JSON that a provider can take apart and write again without running out of stack. */
const isJsonText = (text: string): boolean => {
  try {
    return !isDeeperThan(JSON.parse(text), chatBounds.jsonDepthMax);
  } catch {
    return false;
  }
};

const toToolCall = (call: WireCall, path: string): ChatToolCall => {
  if (!isJsonText(call.function.arguments)) {
    throw new GatewayError('invalid_messages', { detail: `The field ${path}.function.arguments must be JSON text.` });
  }
  return {
    id: call.id,
    type: 'function',
    function: { name: call.function.name, arguments: call.function.arguments },
  };
};

/** Content may be null, absent or empty when the message calls tools, and must be text otherwise [chat:message:assistant-empty-forms]. */
const toAssistant = (message: Wire<'assistant'>, path: string): ChatMessage => {
  const content = message.content === undefined || message.content === '' ? null : message.content;
  const calls = message.tool_calls ?? [];
  if (content === null && calls.length === 0) {
    throw new GatewayError('empty_message', { detail: `The message ${path} has neither text nor tool_calls.` });
  }
  return {
    role: 'assistant',
    content,
    ...(calls.length > 0 && {
      tool_calls: calls.map((call, index) => toToolCall(call, `${path}.tool_calls[${index}]`)),
    }),
    ...(message.context !== undefined && { context: message.context }),
    ...(message.name !== undefined && { name: message.name }),
  };
};

const toUser = (message: Wire<'user'>, path: string): ChatMessage => {
  if (typeof message.content === 'string') return { ...message, content: message.content };
  return { ...message, content: message.content.map((part, index) => toChatPart(part, `${path}.content[${index}]`)) };
};

/** Checks what a schema cannot and drops what client libraries send back without meaning. `path` names the message. */
export const toChatMessage = (message: WireMessage, path: string): ChatMessage => {
  switch (message.role) {
    case 'system':
    case 'tool':
      return message;
    case 'user':
      return toUser(message, path);
    case 'assistant':
      return toAssistant(message, path);
  }
};
