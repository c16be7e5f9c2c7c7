import { fieldOfPath, type CallField } from '@tollgate/provider';

/** The settings of this protocol that one setting of a call becomes. */
const wireNames: ReadonlyMap<string, CallField> = new Map<string, CallField>([
  ['messages', 'contents'],
  ['tools', 'tools'],
  ['tool_choice', 'toolChoice'],
  ['response_format', 'responseFormat'],
  ['temperature', 'temperature'],
  ['top_p', 'topP'],
  ['top_k', 'topK'],
  ['seed', 'seed'],
  ['stop', 'stopSequences'],
  ['frequency_penalty', 'frequencyPenalty'],
  ['presence_penalty', 'presencePenalty'],
  ['parallel_tool_calls', 'parallelToolCalls'],
  ['reasoning_effort', 'thinking'],
  ['user', 'endUser'],
  ['safety_identifier', 'endUser'],
  ['service_tier', 'serviceTier'],
  ['input', 'contents'],
  ['dimensions', 'dimensions'],
]);

/** The setting that `error.param` of an upstream is about; undefined where it is none of a client's. */
export const fieldOfParam = (param: string): CallField | undefined => fieldOfPath(param, wireNames);
