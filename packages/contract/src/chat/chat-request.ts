import type { z } from 'zod';
import { fieldIssueError, messageIssueError } from './chat-issue.ts';
import { StrictMessage, type ChatMessage } from './chat-message.ts';
import { StrictFields } from './chat-request-body.ts';
import type { ChatTool, ToolChoice } from './chat-tool.ts';
import { CompatFields, ignoredFields, type WireFields } from './compat-fields.ts';
import { CompatMessage, type WireMessage } from './compat-message.ts';
import { checkClientSchema } from '../fields/client-schema.ts';
import { checkResponseSchema } from '../fields/response-schema.ts';
import { unknownFieldSentence } from '../fields/field-fault.ts';
import { GatewayError } from '../http/gateway-error.ts';
import { createInnerJson } from '../json/inner-json.ts';
import { createLegacyFunctions } from './legacy-functions.ts';
import { bodyBounds, chatBounds, limits } from '../limits.ts';
import { noObjectError, refusedValue } from '../fields/refused-value.ts';
import { toResponseFormat, type ResponseFormat } from './response-format.ts';
import { toChatMessage, type MessagePolicy } from './to-chat-message.ts';
import { parseWithin } from '../http/parse-within.ts';

/** What a host tolerates beyond the contract; strict is `{ openaiCompat: false, extraFields: [] }`. */
export interface ChatPolicy {
  // chat:compat:openai
  /** Accepts and honours what compatible client libraries send. */
  readonly openaiCompat: boolean;
  // chat:request:allow-list-option
  /** Top-level fields that are tolerated and dropped. */
  readonly extraFields: readonly string[];
  /** Messages of one request at the most; heeded with the compatibility option only (default 2,000). */
  readonly messagesMax?: number | undefined;
  /** Values and field names in the arguments of all calls at the most (default 50,000). */
  readonly bodyNodesMax?: number;
  /** Whether images may be named by addresses, for the gateway to fetch; heeded with the compatibility option only. */
  readonly remoteImages?: boolean;
}

type CarriedFields = Omit<WireFields, keyof typeof ignoredFields | 'functions' | 'function_call' | 'response_format'>;

/** A checked chat request. Fields keep their wire names; content parts are in one form whatever the client wrote.
 * Sampling fields are present only with the compatibility option. */
export interface ChatRequest extends Readonly<CarriedFields> {
  readonly messages: readonly ChatMessage[];
  readonly response_format?: ResponseFormat;
  /** Tools were declared as `functions`, and a call is reported as `function_call`. */
  readonly legacyFunctions?: true;
}

type ParsedFields = Omit<ChatRequest, 'messages'>;

interface Grammar {
  readonly message: z.ZodType<WireMessage>;
  readonly fields: z.ZodType<WireFields>;
  readonly names: ReadonlySet<string>;
  /** Client libraries write null for what they leave out. */
  readonly nullIsAbsent: boolean;
  /** Brings parsed fields to one form. */
  readonly carry: (wire: WireFields) => ParsedFields;
}

interface SplitBody {
  readonly messages: unknown;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Parts the messages from the other fields; refuses the first field that neither the contract nor the host knows. */
const splitBody = (body: unknown, { names, nullIsAbsent }: Grammar, extraFields: readonly string[]): SplitBody => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw noObjectError(body);
  }
  let messages: unknown;
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    if (name === 'messages') messages = value;
    else if (names.has(name)) {
      if (value !== null || !nullIsAbsent) fields[name] = value;
    } else if (!extraFields.includes(name)) {
      throw new GatewayError('unsupported_parameter', {
        detail: unknownFieldSentence([name], ['messages', ...names]),
      });
    }
  }
  return { messages, fields };
};

/** One message at a time: the first fault ends the work, however many there are. */
const parseMessage = (message: unknown, index: number, grammar: Grammar): WireMessage => {
  const result = parseWithin(grammar.message, message);
  if (result.success) return result.data;
  const [issue] = result.issues;
  if (issue === undefined) throw new GatewayError('invalid_messages', { cause: result.cause });
  throw messageIssueError(issue, message, index, grammar.message);
};

const parseMessages = (
  messages: unknown,
  grammar: Grammar,
  policy: MessagePolicy & { readonly messagesMax: number },
): readonly ChatMessage[] => {
  const { messagesMin } = limits.chat;
  const { messagesMax } = policy;
  if (!Array.isArray(messages) || messages.length < messagesMin || messages.length > messagesMax) {
    const accepted = `is a list of ${messagesMin} to ${messagesMax} messages`;
    throw refusedValue('invalid_messages', { path: ['messages'], value: messages, accepted });
  }
  const withoutLegacy = createLegacyFunctions();
  const parsed = messages.map((message: unknown, index) =>
    toChatMessage(withoutLegacy(parseMessage(message, index, grammar), index), `messages[${index}]`, policy),
  );
  if (!parsed.some(({ role }) => role === 'user'))
    throw new GatewayError('missing_user_message', {
      detail: 'The field messages holds no message of the role user; accepted is a list with one at the least.',
    });
  return parsed;
};

const invalid = (detail: string): GatewayError => new GatewayError('invalid_request', { detail });

const checkTools = (tools: readonly ChatTool[]): ReadonlySet<string> => {
  const declared = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    if (tool.type !== 'function') continue;
    const { name, parameters } = tool.function;
    if (declared.has(name))
      throw invalid(`The field tools[${index}].function.name repeats an earlier name; accepted are names that differ.`);
    declared.add(name);
    checkClientSchema(parameters, ['tools', index, 'function', 'parameters']);
  }
  return declared;
};

/** The rules between fields, and the depth of the schemas that a client brings along. */
const checkFields = ({ stream, stream_options, response_format: format, tools, tool_choice }: ParsedFields): void => {
  if (stream_options !== undefined && !stream)
    throw new GatewayError('invalid_stream_options', {
      detail: 'The field stream_options stands beside stream false; accepted is one beside stream true.',
    });
  if (format?.type === 'json_schema')
    checkResponseSchema(format.json_schema.schema, ['response_format', 'json_schema', 'schema']);
  const declared = checkTools(tools ?? []);
  if (typeof tool_choice === 'object' && !declared.has(tool_choice.function.name)) {
    throw refusedValue('invalid_request', {
      path: ['tool_choice', 'function', 'name'],
      value: tool_choice.function.name,
      accepted: `is the name of a function that tools declares${declared.size === 0 ? ', and it declares none' : ''}`,
      isWord: true,
    });
  }
};

const legacyChoice = (choice: WireFields['function_call']): ToolChoice | undefined =>
  typeof choice === 'object' ? { type: 'function', function: choice } : choice;

/** The older form of tools as tools. It proposes one call at a time. */
const withLegacy = (wire: WireFields): Pick<ParsedFields, 'tools' | 'tool_choice' | 'legacyFunctions'> => {
  const { functions, function_call: choice } = wire;
  if (functions === undefined) {
    if (choice !== undefined) throw invalid('The field function_call stands alone; accepted is one beside functions.');
    return {};
  }
  if (wire.tools !== undefined) throw invalid('The field functions stands beside tools; accepted is one of the two.');
  const called = legacyChoice(choice);
  return {
    tools: functions.map((declared) => ({ type: 'function', function: declared })),
    ...(called === undefined ? {} : { tool_choice: called }),
    legacyFunctions: true,
  };
};

const withFormat = (format: WireFields['response_format']): Pick<ParsedFields, 'response_format'> => {
  if (format === undefined) return {};
  const response_format = toResponseFormat(format);
  if (response_format === null)
    throw invalid(
      'The field response_format holds no schema, or two; accepted is one: as json_schema.schema, or as schema.',
    );
  return { response_format };
};

const carriedOf = (wire: WireFields): ParsedFields => {
  const { functions: _functions, function_call: _call, response_format, ...rest } = wire;
  const carried = Object.fromEntries(Object.entries(rest).filter(([name]) => !Object.hasOwn(ignoredFields, name)));
  // Sound: what is left out are the ignored fields, of which the type has none.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { ...(carried as Omit<ParsedFields, 'response_format'>), ...withFormat(response_format), ...withLegacy(wire) };
};

const strict: Grammar = {
  message: StrictMessage,
  fields: StrictFields,
  names: new Set(Object.keys(StrictFields.shape)),
  nullIsAbsent: false,
  // Sound: its schema knows neither of the fields in which the two differ.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  carry: (wire) => wire as ParsedFields,
};
const compat: Grammar = {
  message: CompatMessage,
  fields: CompatFields,
  names: new Set(Object.keys(CompatFields.shape)),
  nullIsAbsent: true,
  carry: carriedOf,
};

const parseFields = (fields: Readonly<Record<string, unknown>>, grammar: Grammar): ParsedFields => {
  const result = parseWithin(grammar.fields, fields);
  if (!result.success) {
    const [issue] = result.issues;
    throw issue === undefined
      ? new GatewayError('invalid_request', { cause: result.cause })
      : fieldIssueError(issue, fields, grammar.fields);
  }
  const parsed = grammar.carry(result.data);
  checkFields(parsed);
  return parsed;
};

/** Reads the parsed JSON body of POST /chat/completions. Throws nothing but a `GatewayError` with the documented code,
 * whose message names the field. Checked in this order: unknown fields, the messages in order, the other fields. */
export const parseChatRequest = (body: unknown, policy: ChatPolicy): ChatRequest => {
  const { openaiCompat, extraFields, messagesMax = chatBounds.messagesCompat, remoteImages = false } = policy;
  const { bodyNodesMax = bodyBounds.nodesMax } = policy;
  const grammar = openaiCompat ? compat : strict;
  const { messages, fields } = splitBody(body, grammar, extraFields);
  const parsed = parseMessages(messages, grammar, {
    openaiCompat,
    remoteImages: openaiCompat && remoteImages,
    messagesMax: openaiCompat ? messagesMax : limits.chat.messagesMax,
    inner: createInnerJson(bodyNodesMax),
  });
  return { ...parseFields(fields, grammar), messages: parsed };
};
