import {
  asObject,
  asText,
  contextBytesMax,
  parseClientJson,
  type FunctionCallPart,
  type UntrustedObject,
} from '@tollgate/provider';

/**
 * Members of an assistant message that upstreams want back in a tool loop: `reasoning_content` (DeepSeek, llama.cpp),
 * `reasoning` (vLLM) and `reasoning_details` (routers).
 */
const carriedMembers = ['reasoning_content', 'reasoning', 'reasoning_details'] as const;

/** The upstream's opaque state, as it is put back on the assistant message and on its tool calls (by their ids). */
export interface CallState {
  readonly message: UntrustedObject;
  readonly extraContent: ReadonlyMap<string, unknown>;
}

const noState: CallState = { message: {}, extraContent: new Map() };

const carried = (source: UntrustedObject): Record<string, unknown> => {
  const kept: Record<string, unknown> = {};
  for (const name of carriedMembers) {
    const value = source[name];
    if (asText(value) !== undefined || (name === 'reasoning_details' && Array.isArray(value))) kept[name] = value;
  }
  return kept;
};

const encode = (message: UntrustedObject, extra: readonly (readonly [string, unknown])[]): string | undefined => {
  const parts = { ...message, ...(extra.length > 0 ? { extra_content: Object.fromEntries(extra) } : {}) };
  return Object.keys(parts).length > 0 ? JSON.stringify(parts) : undefined;
};

const fits = (text: string | undefined): text is string =>
  text !== undefined && Buffer.byteLength(text) <= contextBytesMax;

/**
 * Writes the state of an assistant message as the context of its first call; undefined where there is none. Reasoning text
 * is left out before signatures are, because upstreams refuse a call without its signature but not one without its reasoning.
 */
export const writeCallContext = (
  message: UntrustedObject,
  extra: readonly (readonly [callId: string, extraContent: unknown])[],
): string | undefined => {
  return [encode(carried(message), extra), encode({}, extra)].find(fits);
};

/** Reads the state back from the calls of one turn. A context of another provider, or none, is no state. */
export const readCallContext = (calls: readonly FunctionCallPart[]): CallState => {
  const text = calls.find((call) => call.context !== undefined)?.context;
  const state = text === undefined ? undefined : asObject(parseClientJson(text));
  if (state === undefined) return noState;
  return { message: carried(state), extraContent: new Map(Object.entries(asObject(state['extra_content']) ?? {})) };
};
