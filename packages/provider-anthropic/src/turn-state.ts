import {
  asArray,
  asObject,
  asText,
  contextBytesMax,
  parseClientJson,
  type FunctionCallPart,
  type JsonObject,
  type UntrustedObject,
} from '@tollgate/provider';

/** A thought as the upstream wants it back: its text with a signature, or the text that it encrypted. */
export type ThoughtState =
  | { readonly kind: 'signed'; readonly thinking: string; readonly signature: string }
  | { readonly kind: 'redacted'; readonly data: string };

const fits = (text: string): boolean => Buffer.byteLength(text) <= contextBytesMax;

const bounded = (text: string): string | undefined => (fits(text) ? text : undefined);

/** The state of a thought whose text stands beside it; undefined where it is too long to be kept. */
export const writeThoughtContext = (state: ThoughtState): string | undefined =>
  bounded(JSON.stringify(state.kind === 'signed' ? { signature: state.signature } : { redacted: state.data }));

/** Reads it back. A context of another provider, or one that a client made up, is no state. */
export const readThoughtContext = (context: string | undefined, thinking: string): ThoughtState | undefined => {
  const state = context === undefined ? undefined : asObject(parseClientJson(context));
  return state === undefined ? undefined : readState(state, thinking);
};

const readState = (state: UntrustedObject, thinking: string): ThoughtState | undefined => {
  const data = asText(state['redacted']);
  if (data !== undefined) return { kind: 'redacted', data };
  const signature = asText(state['signature']);
  return signature === undefined ? undefined : { kind: 'signed', thinking, signature };
};

const toMembers = (state: ThoughtState): JsonObject =>
  state.kind === 'signed' ? { thinking: state.thinking, signature: state.signature } : { redacted: state.data };

const withoutText = (state: ThoughtState): ThoughtState =>
  state.kind === 'signed' ? { ...state, thinking: '' } : state;

/**
 * The thoughts before a call, as the context of the call: clients that keep calls only bring them back so. The text of thoughts
 * is left out before their signatures are, which hold all that the upstream needs.
 */
export const writeCallContext = (thoughts: readonly ThoughtState[]): string | undefined => {
  if (thoughts.length === 0) return undefined;
  const encode = (states: readonly ThoughtState[]): string => JSON.stringify({ thoughts: states.map(toMembers) });
  return [encode(thoughts), encode(thoughts.map(withoutText))].find(fits);
};

/** Thoughts of one call at the most. */
const thoughtsMax = 64;

/** The thoughts that the calls of one turn bring back. */
export const readCallContext = (calls: readonly FunctionCallPart[]): readonly ThoughtState[] => {
  const context = calls.find((call) => call.context !== undefined)?.context;
  const state = context === undefined ? undefined : asObject(parseClientJson(context));
  return asArray(state?.['thoughts'])
    .slice(0, thoughtsMax)
    .flatMap((value) => {
      const members = asObject(value) ?? {};
      const { thinking } = members;
      return readState(members, typeof thinking === 'string' ? thinking : '') ?? [];
    });
};
