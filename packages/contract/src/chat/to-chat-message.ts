import { cameAs } from '../fields/came.ts';
import type { ChatMessage, ChatToolCall } from './chat-message.ts';
import { GatewayError } from '../http/gateway-error.ts';
import { createInnerJson, type InnerJson } from '../json/inner-json.ts';
import type { ToolMessage } from './legacy-functions.ts';
import { bodyBounds, chatBounds } from '../limits.ts';
import { tooDeepError } from '../fields/refused-value.ts';
import { toChatPart, type PartPolicy } from './to-chat-part.ts';

type Wire<R extends ToolMessage['role']> = Extract<ToolMessage, { role: R }>;
type AssistantToolCall = NonNullable<Wire<'assistant'>['tool_calls']>[number];

/** How messages are read. */
export interface MessagePolicy extends PartPolicy {
  readonly openaiCompat: boolean;
  /** Looks at the arguments of calls, of which all messages together may hold so much. */
  readonly inner: InnerJson;
}

/** Tells whether text is what the contract takes for the arguments of a call. */
export const isCallArguments = (text: string): boolean => createInnerJson(bodyBounds.nodesMax).faultOf(text) === null;

const tooManyError = (path: string, nodesMax: number): GatewayError =>
  new GatewayError('body_too_large', {
    detail:
      `With ${path}.function.arguments the arguments of calls hold more than ${nodesMax} values and field names, or ` +
      `${Math.floor(nodesMax / 10)} names that differ (bodyNodesMax); accepted are at most as many.`,
  });

const toToolCall = (
  call: AssistantToolCall,
  path: string,
  { inner, isReturned }: { readonly inner: InnerJson; readonly isReturned: boolean },
): ChatToolCall => {
  const fault = inner.faultOf(call.function.arguments);
  if (fault === 'too_many') throw tooManyError(path, inner.nodesMax);
  if (fault === 'too_deep')
    throw tooDeepError('invalid_messages', [path, 'function', 'arguments'], chatBounds.jsonDepthMax);
  if (fault === 'no_json' && !isReturned)
    throw new GatewayError('invalid_messages', {
      detail: `The field ${path}.function.arguments ${cameAs(call.function.arguments, false)} that is no JSON; accepted is JSON text.`,
    });
  return {
    id: call.id,
    type: 'function',
    function: { name: call.function.name, arguments: call.function.arguments },
  };
};

type Name = { readonly name?: string | null | undefined };

/** An empty name is no name. */
const nameOf = ({ name }: Name): { readonly name?: string } =>
  typeof name === 'string' && name !== '' ? { name } : {};

type TextContent = string | readonly { readonly type: 'text'; readonly text: string }[];

/** Several texts in place of one are read one below the other. */
const joined = (content: TextContent): string =>
  typeof content === 'string' ? content : content.map(({ text }) => text).join('\n');

/** Pieces of one reply, in order; a refusal is what the model said. Empty where it said nothing. */
const saidIn = ({ content, refusal }: Wire<'assistant'>): string => {
  const said = Array.isArray(content)
    ? content.map((part) => (part.type === 'text' ? part.text : part.refusal)).join('')
    : content;
  return said === undefined || said === null || said === '' ? (refusal ?? '') : said;
};

// chat:message:assistant-empty-forms
/**
 * Content may be null, absent or empty when the message calls tools, and must be text otherwise.
 * What the service itself returned is taken back whatever its model left out: with the sealed `context` that it bears in such a
 * case, and with the compatibility option also from clients that drop it.
 */
const toAssistant = (message: Wire<'assistant'>, path: string, { openaiCompat, inner }: MessagePolicy): ChatMessage => {
  const isReturned = openaiCompat || message.context !== undefined;
  const said = saidIn(message);
  const calls = message.tool_calls ?? [];
  if (said === '' && calls.length === 0 && !isReturned)
    throw new GatewayError('empty_message', {
      detail: `The message ${path} has neither text nor tool_calls; accepted are text, or tool_calls beside content null.`,
    });
  return {
    role: 'assistant',
    content: said === '' ? null : said,
    tool_calls:
      calls.length > 0
        ? calls.map((call, index) => toToolCall(call, `${path}.tool_calls[${index}]`, { inner, isReturned }))
        : undefined,
    ...(message.context !== undefined && { context: message.context }),
    ...nameOf(message),
  };
};

const toUser = ({ content, name }: Wire<'user'>, path: string, policy: MessagePolicy): ChatMessage => ({
  role: 'user',
  content:
    typeof content === 'string'
      ? content
      : content.map((part, index) => toChatPart(part, `${path}.content[${index}]`, policy)),
  ...nameOf({ name }),
});

const toSystem = (message: Wire<'system' | 'developer'>, path: string): ChatMessage => {
  const content = joined(message.content);
  if (content === '')
    throw new GatewayError('empty_message', { detail: `The field ${path}.content is empty; accepted is text.` });
  return { role: 'system', content, ...nameOf(message) };
};

/** Checks what a schema cannot and drops what client libraries send back without meaning. `path` names the message. */
export const toChatMessage = (message: ToolMessage, path: string, policy: MessagePolicy): ChatMessage => {
  switch (message.role) {
    case 'system':
    case 'developer':
      return toSystem(message, path);
    case 'tool':
      return {
        role: 'tool',
        tool_call_id: message.tool_call_id,
        content: joined(message.content),
        ...nameOf(message),
      };
    case 'user':
      return toUser(message, path, policy);
    case 'assistant':
      return toAssistant(message, path, policy);
  }
};
