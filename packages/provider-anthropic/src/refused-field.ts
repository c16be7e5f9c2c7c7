import { fieldOfPath, type CallField } from '@tollgate/provider';

/** The settings of this protocol that one setting of a call becomes. */
const wireNames: ReadonlyMap<string, CallField> = new Map<string, CallField>([
  ['messages', 'contents'],
  ['system', 'systemInstruction'],
  ['tools', 'tools'],
  ['tool_choice', 'toolChoice'],
  ['temperature', 'temperature'],
  ['top_p', 'topP'],
  ['top_k', 'topK'],
  ['stop_sequences', 'stopSequences'],
  ['thinking', 'thinking'],
  ['output_config', 'thinking'],
  ['output_config.effort', 'thinking'],
  ['output_config.format', 'responseFormat'],
  ['metadata', 'endUser'],
  ['service_tier', 'serviceTier'],
]);

/** Where the sentence begins with the name, and often with a place in it: `messages.0.content: …`, `` `temperature` is … ``. */
const namedFirst = /^`?([a-z][\w.]{1,150})`?(?::| (?:is|may|must|cannot|and)\b)/;

/** The setting that the sentence of an error is about; undefined where it names none. */
export const fieldOfMessage = (message: string): CallField | undefined => {
  const name = namedFirst.exec(message)?.[1];
  return name === undefined ? undefined : fieldOfPath(name, wireNames);
};
