import { checkResponseSchema, type CatalogModel } from '@tollgate/contract';
import type { GenerationCall, GenerationTool, ResponseFormat, Sampling, Thinking } from '@tollgate/provider';
import { present } from '../../present.ts';
import type { CallParts } from '../generation/generation-dialect.ts';
import { closeTurns, joinInstructions, type OpenConversation } from '../generation/open-turns.ts';
import type { ChatFields, Options } from './chat-body.ts';

/** Upstreams want a name, and this wire has none. */
const schemaName = 'response';

/** The form of the answer; refuses a schema that cannot be checked. */
export const readFormat = ({ format }: ChatFields): ResponseFormat => {
  if (format === 'json') return { kind: 'json_object' };
  if (!format) return { kind: 'text' };
  checkResponseSchema(format, ['format']);
  return { kind: 'json_schema', name: schemaName, schema: format };
};

const toSampling = ({ stop, ...options }: Options): Sampling => ({
  ...present('temperature', options.temperature),
  ...present('topP', options.top_p),
  ...present('topK', options.top_k || null),
  ...present('seed', options.seed),
  ...present('stopSequences', typeof stop === 'string' ? [stop] : stop?.length === 0 ? null : stop),
  ...present('frequencyPenalty', options.frequency_penalty || null),
  ...present('presencePenalty', options.presence_penalty || null),
});

const levels = { low: 'low', medium: 'medium', high: 'high', max: 'high' } as const;

const toThinking = ({ think }: ChatFields): Thinking | undefined => {
  if (think === undefined || think === null) return undefined;
  if (think === false) return { budgetTokens: 0 };
  return think === true ? { includeThoughts: true } : { includeThoughts: true, level: levels[think] };
};

/** A limit that is not positive leaves it to the model. */
const tokensOf = ({ num_predict: limit }: Options, { maxOutputTokens }: CatalogModel): number =>
  typeof limit === 'number' && limit > 0 ? Math.min(limit, maxOutputTokens) : maxOutputTokens;

export interface ReadBody {
  readonly fields: ChatFields;
  readonly tools: readonly GenerationTool[];
  readonly conversation: OpenConversation;
  readonly responseFormat: ResponseFormat;
}

export const toCall = (
  { fields, tools, conversation, responseFormat }: ReadBody,
  model: CatalogModel,
  parts: CallParts,
): Omit<GenerationCall, 'operationId'> => {
  const options = fields.options ?? {};
  return {
    upstreamModel: model.upstreamId,
    systemInstruction: joinInstructions(conversation.instructions),
    contents: closeTurns(conversation, parts),
    tools,
    toolChoice: { kind: 'auto' },
    responseFormat,
    sampling: toSampling(options),
    outputTokensMax: tokensOf(options, model),
    ...present('thinking', toThinking(fields)),
  };
};
