import { z } from 'zod';
import type { Schema } from '../../fields/accepted.ts';
import { checkInteractionTools } from './check-interaction-tools.ts';
import type { ErrorCode } from '../../http/error-code.ts';
import { faultSentence, toFault, unknownFieldSentence, type Fault, type Issue } from '../../fields/field-fault.ts';
import { GatewayError } from '../../http/gateway-error.ts';
import { AgentConfig, InteractionConfig, InteractionFormat } from './interaction-config.ts';
import { InteractionInputItem, toInteractionItem, type InteractionItem } from './interaction-input.ts';
import { InteractionTools, type InteractionTool } from './interaction-tool.ts';
import { isUuid } from '../../is-uuid.ts';
import { checkResponseSchema } from '../../fields/response-schema.ts';
import { isRecord, type JsonRecord } from '../../json/json-record.ts';
import { interactionBounds } from '../../limits.ts';
import { listError, noObjectError, refusedValue } from '../../fields/refused-value.ts';
import { parseWithin } from '../../http/parse-within.ts';

const { inputItemsMax, textFieldCharsMax, declarationsMax, stopSequencesMax, listEntriesMax } = interactionBounds;
const id = z.string().min(1).max(textFieldCharsMax);

/** Everything but the input. */
const InteractionFields = z.strictObject({
  model: id.exactOptional(),
  system_instruction: z.string().exactOptional(),
  previous_interaction_id: id.exactOptional(),
  agent_id: id.exactOptional(),
  environment_id: id.exactOptional(),
  response_format: InteractionFormat.exactOptional(),
  agent_config: AgentConfig.exactOptional(),
  generation_config: InteractionConfig.exactOptional(),
  tools: InteractionTools.exactOptional(),
});
type InteractionFields = z.infer<typeof InteractionFields>;

/** The body of POST /interactions as the contract publishes it. `parseInteractionRequest` checks more than a schema can. */
export const InteractionRequestBody = z.strictObject({
  ...InteractionFields.shape,
  previous_interaction_id: z.uuid().exactOptional(),
  agent_id: z.uuid().exactOptional(),
  environment_id: z.uuid().exactOptional(),
  input: z.union([z.string().min(1), z.array(InteractionInputItem).min(1).max(inputItemsMax)]),
});

/** A checked request of an interaction, from POST /interactions or inside a trigger. Settings keep their wire names. */
export interface InteractionRequest {
  readonly model: string | null;
  readonly input: readonly InteractionItem[];
  readonly systemInstruction: string | null;
  readonly previousInteractionId: string | null;
  readonly agentId: string | null;
  readonly environmentId: string | null;
  /** What is to come out; null leaves it to the model. */
  readonly format: InteractionFormat | null;
  readonly agentConfig: AgentConfig | null;
  readonly config: InteractionConfig;
  readonly tools: readonly InteractionTool[];
}

const invalid = (detail: string): GatewayError => new GatewayError('invalid_request', { detail });

const fieldNames = new Set(Object.keys(InteractionFields.shape));

// interactions:body:unknown-fields
/** Refuses the first field that the contract does not know. */
const splitBody = (body: unknown): { readonly input: unknown; readonly fields: JsonRecord } => {
  if (!isRecord(body)) throw noObjectError(body);
  const { input, ...fields } = body;
  for (const name of Object.keys(fields))
    if (!fieldNames.has(name))
      throw new GatewayError('unsupported_parameter', {
        detail: unknownFieldSentence([name], ['input', ...fieldNames]),
      });
  return { input, fields };
};

const parseInput = (input: unknown): readonly InteractionItem[] => {
  if (typeof input === 'string') {
    if (input === '')
      throw new GatewayError('empty_message', { detail: 'The field input is empty; accepted is text.' });
    return [{ kind: 'text', text: input }];
  }
  if (!Array.isArray(input) || input.length === 0 || input.length > inputItemsMax)
    throw refusedValue('invalid_request', {
      path: ['input'],
      value: input,
      accepted: `is text, or a list of 1 to ${inputItemsMax} items`,
    });
  // One item at a time: the first fault ends the work, however many there are.
  return input.map((item: unknown, index) => toInteractionItem(item, ['input', index]));
};

/** Lists that a schema would look through entry by entry before it counts them. */
const countedLists = [
  ['tools', null, declarationsMax],
  ['generation_config', 'stop_sequences', stopSequencesMax],
] as const;

const checkLengths = (fields: JsonRecord): void => {
  for (const [name, member, entriesMax] of countedLists) {
    const outer = fields[name];
    const list = member === null ? outer : isRecord(outer) ? outer[member] : undefined;
    if (Array.isArray(list) && list.length > entriesMax)
      throw listError(member === null ? [name] : [name, member], list, [0, entriesMax]);
  }
  const config = fields['generation_config'];
  const transcription = isRecord(config) ? config['transcription_config'] : undefined;
  if (!isRecord(transcription)) return;
  for (const name of ['language_codes', 'custom_vocabulary'])
    if (Array.isArray(transcription[name]) && transcription[name].length > listEntriesMax)
      throw listError(['generation_config', 'transcription_config', name], transcription[name], [0, listEntriesMax]);
};

const codeOf = ({ kind, path }: Fault): ErrorCode => {
  if (kind === 'unknown_field') return 'unsupported_parameter';
  return path[0] === 'generation_config' && path[1] === 'temperature' ? 'invalid_temperature' : 'invalid_request';
};

// errors:code:invalid-request
/** The error of a field whose shape is wrong. `fields` is the body as it was sent. */
export const interactionIssueError = (issue: Issue, fields: unknown, schema: Schema): GatewayError => {
  const judged = { schema, input: fields };
  const fault = toFault(issue, judged);
  return new GatewayError(codeOf(fault), { detail: faultSentence(fault, judged) });
};

const parseFields = (fields: JsonRecord): InteractionFields => {
  checkLengths(fields);
  const result = parseWithin(InteractionFields, fields);
  if (result.success) return result.data;
  const [issue] = result.issues;
  throw issue === undefined
    ? new GatewayError('invalid_request', { cause: result.cause })
    : interactionIssueError(issue, fields, InteractionFields);
};

const checkFormat = ({ type, schema, aspect_ratio, resolution }: InteractionFormat): void => {
  if (schema !== undefined && type !== 'json')
    throw invalid('The field response_format.schema stands beside another type; accepted is one beside the type json.');
  checkResponseSchema(schema, ['response_format', 'schema']);
  const shaped = type === 'image' || type === 'video';
  if (!shaped && aspect_ratio !== undefined)
    throw invalid(
      'The field response_format.aspect_ratio stands beside another type; accepted is one beside the type image or video.',
    );
  if (!shaped && resolution !== undefined)
    throw invalid(
      'The field response_format.resolution stands beside another type; accepted is one beside the type image or video.',
    );
};

// interactions:function-result:needs-previous
/** A result answers one call, and a call belongs to an earlier interaction. */
const checkResults = (input: readonly InteractionItem[], previousId: string | null): void => {
  const answered = new Set<string>();
  for (const [index, item] of input.entries()) {
    if (item.kind !== 'function_result') continue;
    if (previousId === null)
      throw invalid(`The field input[${index}] stands alone; accepted is a result beside previous_interaction_id.`);
    if (answered.has(item.callId))
      throw invalid(`The field input[${index}].call_id repeats an earlier one; accepted is one result of each call.`);
    answered.add(item.callId);
  }
};

// errors:path:unknown
/** An id that is no uuid is answered like an unknown one. */
const idOf = (text: string | undefined, what: string): string | null => {
  if (text === undefined) return null;
  const name = text.toLowerCase();
  if (!isUuid(name)) throw new GatewayError('not_found', { detail: `There is no such ${what} in this project.` });
  return name;
};

/**
 * Reads the parsed JSON body of an interaction. Throws nothing but a `GatewayError` with the documented code, whose message names
 * the field. Checked in this order: unknown fields, the input in order, the other fields, the rules between them.
 */
export const parseInteractionRequest = (body: unknown): InteractionRequest => {
  const split = splitBody(body);
  const input = parseInput(split.input);
  const fields = parseFields(split.fields);
  const format = fields.response_format ?? null;
  const tools = fields.tools ?? [];
  if (format !== null) checkFormat(format);
  checkInteractionTools(tools);
  const previousInteractionId = idOf(fields.previous_interaction_id, 'interaction');
  checkResults(input, previousInteractionId);
  return {
    model: fields.model ?? null,
    input,
    systemInstruction: fields.system_instruction ?? null,
    previousInteractionId,
    agentId: idOf(fields.agent_id, 'agent'),
    environmentId: idOf(fields.environment_id, 'environment'),
    format,
    agentConfig: fields.agent_config ?? null,
    config: fields.generation_config ?? {},
    tools,
  };
};
