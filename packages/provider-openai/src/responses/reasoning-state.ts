import {
  contextBytesMax,
  asArray,
  asObject,
  asText,
  parseClientJson,
  type JsonObject,
  type Part,
} from '@tollgate/provider';

/** Reasoning that the upstream sealed, by which it goes on where it stopped. */
export interface ReasoningState {
  readonly id: string;
  readonly sealed: string;
}

/** By this member a context of this wire is distinguished from one of chat completions. */
const member = 'reasoning_items';

/** The states as a context; undefined where there is none, or where it is too long to be kept. */
export const writeReasoning = (states: readonly ReasoningState[]): string | undefined => {
  if (states.length === 0) return undefined;
  const text = JSON.stringify({ [member]: states.map(({ id, sealed }) => [id, sealed]) });
  return Buffer.byteLength(text) <= contextBytesMax ? text : undefined;
};

const stateOf = (value: unknown): readonly ReasoningState[] => {
  const [id, sealed] = asArray(value).map(asText);
  return id === undefined || sealed === undefined ? [] : [{ id, sealed }];
};

/** The states of a context. A context of another provider, or none, has no state. */
const readReasoning = (context: string | undefined): readonly ReasoningState[] =>
  context === undefined ? [] : asArray(asObject(parseClientJson(context))?.[member]).flatMap(stateOf);

/** The reasoning that a part of an earlier turn carries, as input items; what `sent` has was sent already. */
export const reasoningItems = (part: Part, sent: Set<string>): readonly JsonObject[] => {
  const states = 'context' in part ? readReasoning(part.context) : [];
  const fresh = states.filter(({ id }) => !sent.has(id));
  for (const { id } of fresh) sent.add(id);
  return fresh.map(({ id, sealed }) => ({ type: 'reasoning', id, summary: [], encrypted_content: sealed }));
};
