import type { z } from 'zod';
import { fieldIssueError, messageIssueError } from './chat-issue.ts';
import { CompatMessage, StrictMessage, type ChatMessage, type WireMessage } from './chat-message.ts';
import { CompatFields, StrictFields, type ChatFields } from './chat-request-body.ts';
import { safeName } from './field-path.ts';
import { GatewayError } from './gateway-error.ts';
import { isDeeperThan } from './json-depth.ts';
import { chatBounds, limits } from './limits.ts';
import { toChatMessage } from './to-chat-message.ts';

/** What a host tolerates beyond the contract; both are off by default. */
export interface ChatPolicy {
  /** Accepts and honours what compatible client libraries send [chat:compat:openai]. */
  readonly openaiCompat: boolean;
  /** Top-level fields that are tolerated and dropped [chat:request:allow-list-option]. */
  readonly extraFields: readonly string[];
}

/** A checked chat request. Fields keep their wire names; content parts are in one form whatever the client wrote.
 * Sampling fields are present only with the compatibility option. */
export interface ChatRequest extends Readonly<ChatFields> {
  readonly messages: readonly ChatMessage[];
}

interface Grammar {
  readonly message: z.ZodType<WireMessage>;
  readonly fields: z.ZodType<ChatFields>;
  readonly names: ReadonlySet<string>;
}

const strict: Grammar = {
  message: StrictMessage,
  fields: StrictFields,
  names: new Set(Object.keys(StrictFields.shape)),
};
const compat: Grammar = {
  message: CompatMessage,
  fields: CompatFields,
  names: new Set(Object.keys(CompatFields.shape)),
};

interface SplitBody {
  readonly messages: unknown;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Parts the messages from the other fields; refuses the first field that neither the contract nor the host knows. */
const splitBody = (body: unknown, names: ReadonlySet<string>, extraFields: readonly string[]): SplitBody => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new GatewayError('invalid_request', { detail: 'The body must be a JSON object.' });
  }
  let messages: unknown;
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    if (name === 'messages') messages = value;
    else if (names.has(name)) fields[name] = value;
    else if (!extraFields.includes(name)) {
      throw new GatewayError('unsupported_parameter', { detail: `The field ${safeName(name)} is not supported.` });
    }
  }
  return { messages, fields };
};

/** One message at a time: the first fault ends the work, however many there are. */
const parseMessage = (message: unknown, index: number, grammar: Grammar): ChatMessage => {
  const result = grammar.message.safeParse(message);
  if (result.success) return toChatMessage(result.data, `messages[${index}]`);
  const [issue] = result.error.issues;
  if (issue === undefined) throw new GatewayError('invalid_messages', { cause: result.error });
  throw messageIssueError(issue, message, index);
};

const parseMessages = (messages: unknown, grammar: Grammar): readonly ChatMessage[] => {
  const { messagesMin, messagesMax } = limits.chat;
  if (!Array.isArray(messages) || messages.length < messagesMin || messages.length > messagesMax) {
    const detail = `The field messages must be a list of ${messagesMin} to ${messagesMax} messages.`;
    throw new GatewayError('invalid_messages', { detail });
  }
  const parsed = messages.map((message: unknown, index) => parseMessage(message, index, grammar));
  if (!parsed.some(({ role }) => role === 'user')) throw new GatewayError('missing_user_message');
  return parsed;
};

const invalid = (detail: string): GatewayError => new GatewayError('invalid_request', { detail });

/** The rules between fields, and the depth of the schemas that a client brings along. */
const checkFields = (fields: ChatFields): void => {
  if (fields.stream_options !== undefined && !fields.stream) throw new GatewayError('invalid_stream_options');
  const { response_format: format, tools = [], tool_choice: choice } = fields;
  if (format?.type === 'json_schema' && isDeeperThan(format.json_schema.schema, chatBounds.jsonDepthMax)) {
    throw invalid('The field response_format.json_schema.schema is nested too deeply.');
  }
  const declared = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    if (tool.type !== 'function') continue;
    const { name, parameters } = tool.function;
    if (declared.has(name)) throw invalid(`The field tools[${index}].function.name repeats an earlier name.`);
    declared.add(name);
    if (isDeeperThan(parameters, chatBounds.jsonDepthMax)) {
      throw invalid(`The field tools[${index}].function.parameters is nested too deeply.`);
    }
  }
  if (typeof choice === 'object' && !declared.has(choice.function.name)) {
    throw invalid('The field tool_choice.function.name names a function that tools does not declare.');
  }
};

const parseFields = (fields: Readonly<Record<string, unknown>>, grammar: Grammar): ChatFields => {
  const result = grammar.fields.safeParse(fields);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw issue === undefined
      ? new GatewayError('invalid_request', { cause: result.error })
      : fieldIssueError(issue, fields);
  }
  checkFields(result.data);
  return result.data;
};

/** Reads the parsed JSON body of POST /chat/completions. Throws nothing but a `GatewayError` with the documented code,
 * whose message names the field. Checked in this order: unknown fields, the messages in order, the other fields. */
export const parseChatRequest = (body: unknown, policy: ChatPolicy): ChatRequest => {
  const grammar = policy.openaiCompat ? compat : strict;
  const { messages, fields } = splitBody(body, grammar.names, policy.extraFields);
  const parsed = parseMessages(messages, grammar);
  return { ...parseFields(fields, grammar), messages: parsed };
};
