import {
  chatBounds,
  checkClientSchema,
  checkResponseSchema,
  GatewayError,
  isRecord,
  listError,
  noObjectError,
  readAt,
  type CatalogModel,
  type JsonRecord,
} from '@tollgate/contract';
import type {
  GenerationCall,
  GenerationTool,
  ResponseFormat,
  Sampling,
  Thinking,
  ToolChoice,
} from '@tollgate/provider';
import { checkFunctions } from '../generation/check-functions.ts';
import type { AskedGeneration, CallParts, ReadingPolicy } from '../generation/generation-dialect.ts';
import { closeTurns, joinInstructions, type OpenConversation } from '../generation/open-turns.ts';
import { readPromptCache, withBodyMark } from './cache-marks.ts';
import { FunctionTool, MessageFields } from './message-body.ts';
import { isServerTool, readServerTools, type ServerTools } from './server-tools.ts';
import { readMessages } from './read-message.ts';
import { present } from '../../present.ts';

/** What the vendor's own service does with them has no part in an answer. */
const passedOver = new Set([
  'cache_control',
  'context_management',
  'diagnostics',
  'inference_geo',
  'metadata',
  'speed',
]);

interface SplitBody {
  readonly messages: unknown;
  readonly tools: unknown;
  readonly servers: unknown;
  readonly fields: JsonRecord;
}

const splitBody = (body: unknown): SplitBody => {
  if (!isRecord(body)) throw noObjectError(body);
  const { messages, tools, mcp_servers: servers, ...rest } = body;
  return {
    messages,
    tools,
    servers,
    fields: Object.fromEntries(Object.entries(rest).filter(([name]) => !passedOver.has(name))),
  };
};

/** A list that may be left out, or is null. */
const listAt = (value: unknown, name: string, bounds: readonly [number, number]): readonly unknown[] => {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length > bounds[1]) throw listError([name], value, bounds);
  return value;
};

const unsupportedTool = (index: number, type: string): GatewayError =>
  new GatewayError('unsupported_parameter', {
    detail: `The field tools[${index}].type is ${JSON.stringify(type.slice(0, 64))}, a tool that this gateway does not run; accepted are tools with an input_schema, web_search, web_fetch, code_execution and mcp_toolset.`,
  });

/** A tool that the vendor runs, and the gateway does not, is refused by its name. */
const readTool = (value: unknown, index: number): readonly GenerationTool[] => {
  if (isServerTool(value)) return [];
  const type = isRecord(value) ? value['type'] : undefined;
  if (typeof type === 'string' && type !== 'custom') throw unsupportedTool(index, type);
  const { name, description, input_schema: parameters, strict } = readAt(FunctionTool, value, ['tools', index]);
  checkClientSchema(parameters, ['tools', index, 'input_schema']);
  const told = { ...present('description', description), ...present('strict', strict) };
  return [{ kind: 'function', name, parameters, ...told }];
};

const toToolChoice = (choice: MessageFields['tool_choice']): ToolChoice => {
  switch (choice?.type) {
    case 'any':
      return { kind: 'required' };
    case 'tool':
      return { kind: 'function', name: choice.name };
    case 'none':
      return { kind: 'none' };
    case 'auto':
    case undefined:
      return { kind: 'auto' };
  }
};

const isSerial = (choice: MessageFields['tool_choice']): boolean =>
  choice?.type !== 'none' && choice?.disable_parallel_tool_use === true;

const toSampling = (fields: MessageFields): Sampling => {
  const { temperature, top_p: topP, top_k: topK, stop_sequences: stops } = fields;
  return {
    ...present('temperature', temperature),
    ...present('topP', topP),
    ...present('topK', topK || null),
    ...present('stopSequences', stops?.length === 0 ? null : stops),
    ...present('parallelToolCalls', isSerial(fields.tool_choice) ? false : null),
  };
};

const levels = { low: 'low', medium: 'medium', high: 'high', xhigh: 'high', max: 'high' } as const;

/** An effort is a level; without one, an adaptive model decides for itself. */
const toThinking = ({ thinking, output_config: output }: MessageFields): Thinking | undefined => {
  const effort = output?.effort;
  if (thinking?.type === 'disabled') return { budgetTokens: 0 };
  if (thinking?.type === 'enabled') return { budgetTokens: thinking.budget_tokens, includeThoughts: true };
  const level = effort ? { level: levels[effort] } : {};
  if (thinking?.type === 'adaptive') return { ...level, includeThoughts: true };
  return effort ? level : undefined;
};

/** `auto` is the upstream's own choice, as without it. */
const tierOf = ({ service_tier: tier }: MessageFields): GenerationCall['serviceTier'] | null =>
  tier === 'standard_only' ? 'standard' : null;

/** Upstreams want a name, and this dialect has none. */
const schemaName = 'response';
export const schemaField = 'output_config.format.schema';

const toFormat = ({ output_config: output }: MessageFields): ResponseFormat => {
  if (!output?.format) return { kind: 'text' };
  const { schema } = output.format;
  checkResponseSchema(schema, schemaField.split('.'));
  return { kind: 'json_schema', name: schemaName, schema };
};

/** A line of one client for the vendor's own accounts, and no instruction. */
const billingLine = 'x-anthropic-billing-header:';

const systemTexts = (system: MessageFields['system']): readonly string[] => {
  const texts = typeof system === 'string' ? [system] : (system ?? []).map(({ text }) => text);
  return texts.filter((text) => text !== '' && !text.startsWith(billingLine));
};

interface ReadBody {
  readonly fields: MessageFields;
  readonly tools: readonly GenerationTool[];
  readonly server: ServerTools;
  readonly conversation: OpenConversation;
  readonly responseFormat: ResponseFormat;
  readonly promptCache: GenerationCall['promptCache'];
}

const toCall = (
  { fields, tools, conversation, responseFormat, promptCache }: ReadBody,
  model: CatalogModel,
  parts: CallParts,
): Omit<GenerationCall, 'operationId'> => {
  const thinking = toThinking(fields);
  return {
    upstreamModel: model.upstreamId,
    systemInstruction: joinInstructions([...systemTexts(fields.system), ...conversation.instructions]),
    contents: closeTurns(conversation, parts),
    tools,
    toolChoice: toToolChoice(fields.tool_choice),
    responseFormat,
    sampling: toSampling(fields),
    outputTokensMax: Math.min(fields.max_tokens, model.maxOutputTokens),
    ...present('thinking', thinking),
    ...present('serviceTier', tierOf(fields)),
    ...present('promptCache', promptCache),
  };
};

const checkChoice = ({ tool_choice: choice }: MessageFields, tools: readonly GenerationTool[]): void => {
  if (choice?.type !== 'tool') return;
  if (!tools.some((tool) => tool.kind === 'function' && tool.name === choice.name))
    throw new GatewayError('invalid_request', {
      detail:
        'The field tool_choice.name is no tool of the request; accepted is the name of a tool that tools declares.',
    });
};

const readBody = (body: unknown, policy: ReadingPolicy): ReadBody => {
  const { messages, tools, servers, fields } = splitBody(body);
  if (!Array.isArray(messages) || messages.length === 0 || messages.length > policy.messagesMax)
    throw listError(['messages'], messages, [1, policy.messagesMax]);
  const known = readAt(MessageFields, fields);
  const listed = listAt(tools, 'tools', [0, chatBounds.toolsMax]);
  const read = listed.flatMap(readTool);
  const server = readServerTools(listed, servers);
  const conversation = withBodyMark(readMessages(messages, policy), body);
  checkFunctions(read);
  checkChoice(known, read);
  const promptCache = readPromptCache(fields['system'], tools);
  return { fields: known, tools: read, server, conversation, responseFormat: toFormat(known), promptCache };
};

/** A limit of the pages that a search may cite holds where the search is the provider's. */
const limited = ({ domains }: ServerTools): AskedGeneration['searchDomains'] | null =>
  Object.keys(domains).length === 0 ? null : { domains, field: 'tools.allowed_domains or blocked_domains' };

/** Reads the body of `POST /messages`. */
export const readMessageRequest = (body: unknown, policy: ReadingPolicy): AskedGeneration => {
  const read = readBody(body, policy);
  const { fields, server, conversation } = read;
  return {
    model: fields.model,
    stream: fields.stream === true,
    fileIds: conversation.fileIds,
    callIds: conversation.callIds,
    gatewayTools: server.tools,
    callsMaxByTool: server.callsMax,
    ...present('searchDomains', limited(server)),
    toCall: (model, parts) => toCall(read, model, parts),
    echo: {},
  };
};

/** Output that is never made, as a count of input reads a body without a limit. */
const countedTokensMax = 1;

/** Reads the body of `POST /messages/count_tokens`: the same, without `max_tokens`. */
export const readCountRequest = (body: unknown, policy: ReadingPolicy): AskedGeneration =>
  readMessageRequest(isRecord(body) ? { max_tokens: countedTokensMax, ...body } : body, policy);
