import {
  checkResponseSchema,
  GatewayError,
  isRecord,
  noObjectError,
  readAt,
  type CatalogModel,
  type JsonRecord,
} from '@tollgate/contract';
import type { GenerationCall, ResponseFormat, Sampling, Thinking, ToolChoice } from '@tollgate/provider';
import type { AskedGeneration, CallParts, ReadingPolicy } from '../../generation/generation-dialect.ts';
import { closeTurns, joinInstructions, type OpenConversation } from '../../generation/open-turns.ts';
import { drawingOf, type Drawing } from './image-tool.ts';
import { readInput } from './read-items.ts';
import { readTools, type ReadTools } from './read-tools.ts';
import { ResponseFields } from './response-body.ts';
import { imageChoiceOf, toToolChoice } from './tool-choice.ts';
import { present } from '../../../present.ts';
import { tierPart } from '../../../service-tier.ts';

/** What the vendor's own service does with them has no part in a response. */
const passedOver = new Set([
  'client_metadata',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'safety_identifier',
  'stream_options',
]);

export const schemaField = 'text.format.schema';

interface ReadBody {
  readonly fields: ResponseFields;
  readonly tools: ReadTools;
  readonly conversation: OpenConversation;
  readonly toolChoice: ToolChoice;
  readonly responseFormat: ResponseFormat;
  /** The items of the request, where they are kept. */
  readonly inputs: readonly unknown[] | null;
  /** Null of a model that is to make no images. */
  readonly drawing: Drawing | null;
}

const fieldsOf = (body: JsonRecord): ResponseFields => {
  const { input: _input, tools: _tools, ...rest } = body;
  return readAt(ResponseFields, Object.fromEntries(Object.entries(rest).filter(([name]) => !passedOver.has(name))));
};

const levels = {
  minimal: 'minimal',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
} as const;

const toThinking = ({ reasoning }: ResponseFields): Thinking | undefined => {
  if (!reasoning) return undefined;
  const { effort, summary } = reasoning;
  if (effort === 'none') return { budgetTokens: 0 };
  const thinking = {
    ...present('level', effort && levels[effort]),
    ...present('includeThoughts', summary && summary !== 'none' ? true : null),
  };
  return Object.keys(thinking).length === 0 ? undefined : thinking;
};

const toFormat = ({ text }: ResponseFields): ResponseFormat => {
  const format = text?.format;
  if (!format || format.type === 'text') return { kind: 'text' };
  if (format.type === 'json_object') return { kind: 'json_object' };
  const { name, schema, strict, description } = format;
  checkResponseSchema(schema, schemaField.split('.'));
  return {
    kind: 'json_schema',
    name,
    schema,
    ...present('strict', strict),
    ...present('description', description),
  };
};

const toSampling = ({ temperature, top_p: topP, parallel_tool_calls: parallel }: ResponseFields): Sampling => ({
  ...present('temperature', temperature),
  ...present('topP', topP),
  ...present('parallelToolCalls', parallel === false ? false : null),
});

const toCall = (
  { fields, tools, conversation, toolChoice, responseFormat, drawing }: ReadBody,
  model: CatalogModel,
  parts: CallParts,
): Omit<GenerationCall, 'operationId'> => {
  const thinking = toThinking(fields);
  const { instructions, user } = fields;
  return {
    upstreamModel: model.upstreamId,
    systemInstruction: joinInstructions([...(instructions ? [instructions] : []), ...conversation.instructions]),
    contents: closeTurns(conversation, parts),
    tools: tools.tools,
    // An answer that is an image alone has nothing left to choose.
    toolChoice: drawing?.modalities.includes('text') === false ? { kind: 'auto' } : toolChoice,
    responseFormat,
    sampling: toSampling(fields),
    outputTokensMax: Math.min(fields.max_output_tokens ?? model.maxOutputTokens, model.maxOutputTokens),
    ...present('thinking', thinking),
    ...tierPart(fields.service_tier),
    ...present('endUser', user || null),
    ...present('modalities', drawing?.modalities),
    ...present('image', drawing?.image),
  };
};

/** What a response shows only where its request asks for it. */
const includable = new Set(['file_search_call.results']);

const includedOf = ({ include }: ResponseFields): readonly string[] =>
  (include ?? []).filter((name) => includable.has(name));

/** What a response repeats of its request. */
const repeated = ({ fields, tools: { names }, inputs }: ReadBody, listed: readonly unknown[]) => ({
  background: fields.background === true ? true : undefined,
  include: includedOf(fields).length === 0 ? undefined : includedOf(fields),
  instructions: fields.instructions ?? undefined,
  max_output_tokens: fields.max_output_tokens ?? undefined,
  max_tool_calls: fields.max_tool_calls ?? undefined,
  metadata: fields.metadata ?? undefined,
  parallel_tool_calls: fields.parallel_tool_calls ?? undefined,
  previous_response_id: fields.previous_response_id ?? undefined,
  reasoning: fields.reasoning ?? undefined,
  temperature: fields.temperature ?? undefined,
  text: fields.text ?? undefined,
  tool_choice: fields.tool_choice ?? undefined,
  tools: listed.length === 0 ? undefined : listed,
  top_p: fields.top_p ?? undefined,
  user: fields.user ?? undefined,
  names: Object.keys(names).length === 0 ? undefined : names,
  inputs: inputs ?? undefined,
});

/** The items of a request, as they are kept. A text is a message of the user. */
const inputItems = (input: unknown): readonly unknown[] => {
  if (typeof input !== 'string') return Array.isArray(input) ? input : [];
  return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: input }] }];
};

/** Long media of a body lie aside for one request, and are not kept. */
const holdsLifted = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).some((inner) => typeof inner === 'function' || holdsLifted(inner));

/** A limit of the pages that a search may cite holds where the search is the provider's. */
const limited = ({ searchDomains: allowedDomains }: ReadTools): AskedGeneration['searchDomains'] | null =>
  allowedDomains === null ? null : { domains: { allowedDomains }, field: 'tools.filters.allowed_domains' };

const unstoredBackground = (): GatewayError =>
  new GatewayError('unsupported_parameter', {
    detail: 'The field store is false beside background: true; accepted is true: the response is asked for by its id.',
  });

const toAsked = (read: ReadBody): AskedGeneration => {
  const { fields, tools, conversation, drawing } = read;
  const listed = drawing === null ? tools.listed : [...tools.listed, drawing.tool];
  return {
    model: fields.model ?? undefined,
    stream: fields.stream === true,
    fileIds: conversation.fileIds,
    callIds: conversation.callIds,
    inBackground: fields.background === true,
    ...present('toolCallsMax', fields.max_tool_calls),
    gatewayTools: tools.gatewayTools,
    offeredTools: tools.offeredTools,
    ...present('searchDomains', limited(tools)),
    toCall: (model, parts) => toCall(read, model, parts),
    echo: repeated(read, listed),
  };
};

/** Reads the body of `POST /responses`. */
export const readResponseRequest = (body: unknown, policy: ReadingPolicy): AskedGeneration => {
  if (!isRecord(body)) throw noObjectError(body);
  const { history } = policy;
  const fields = fieldsOf(body);
  const items = inputItems(body['input']);
  const input = history.length === 0 ? body['input'] : [...history, ...items];
  // One agent alone sends this field, and offers a search of the web with each of its requests.
  const tools = readTools(body['tools'], body['client_metadata'] !== undefined);
  const conversation = readInput(input, policy);
  const toolChoice = toToolChoice(fields, tools);
  if (fields.background === true && fields.store === false) throw unstoredBackground();
  const inputs = fields.store === false || holdsLifted(items) ? null : items;
  const responseFormat = toFormat(fields);
  const read: ReadBody = { fields, tools, conversation, toolChoice, responseFormat, inputs, drawing: null };
  const asked = toAsked(read);
  if (tools.imageTools.length === 0) return asked;
  const choice = imageChoiceOf(fields, tools);
  return {
    ...asked,
    forModel: (model) => {
      const drawing = drawingOf(tools.imageTools, choice, model);
      // Images have the prices of generateContent, whose models say how many one answer has at the most. Few of them serve chat.
      const kind = drawing !== null && model.routes.includes('generate') ? 'generate' : undefined;
      return { ...toAsked({ ...read, drawing }), kind };
    },
  };
};
