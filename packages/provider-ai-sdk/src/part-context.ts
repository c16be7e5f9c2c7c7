import type { SharedV4ProviderMetadata, SharedV4ProviderOptions } from '@ai-sdk/provider';
import { asArray, asObject, contextBytesMax, parseClientJson } from '@tollgate/provider';

/** One piece of reasoning that came before a call; some upstreams want it back with the call. */
export interface Reasoning {
  readonly text: string;
  readonly metadata: SharedV4ProviderMetadata | undefined;
}

/** The upstream's state of one part. */
export interface PartState {
  /** As the model gave it, to be handed back as the part's provider options. */
  readonly metadata?: SharedV4ProviderMetadata | undefined;
  /** On the first call of an answer only. */
  readonly reasoning?: readonly Reasoning[];
  /** What went into or came out of a tool that ran at the upstream, where the canonical part cannot tell all of it. */
  readonly tool?: unknown;
}

/** Base64, like the signatures that clients know, so that a reader finds no names of an upstream in it. */
const encode = ({ metadata, reasoning = [], tool }: PartState): string | undefined => {
  const state = {
    ...(metadata === undefined ? {} : { metadata }),
    ...(reasoning.length === 0 ? {} : { reasoning }),
    ...(tool === undefined ? {} : { tool }),
  };
  return Object.keys(state).length === 0 ? undefined : Buffer.from(JSON.stringify(state)).toString('base64');
};

const fits = (text: string | undefined): text is string => text !== undefined && text.length <= contextBytesMax;

/**
 * Writes the state of a part as its context; undefined where there is none. Reasoning without a signature is left out before
 * the rest of it is, and signatures of the part itself last, because upstreams refuse a call without them.
 */
export const writePartContext = (state: PartState): string | undefined => {
  const { metadata, reasoning = [], tool } = state;
  const signed = reasoning.filter((piece) => piece.metadata !== undefined);
  return [
    encode(state),
    encode({ metadata, reasoning: signed, tool }),
    encode({ metadata, tool }),
    encode({ metadata }),
  ].find(fits);
};

// A context should come back as it was given. Some routes hand it over unsealed, so what could do more than name the part's
// own state is not taken back: members that steer the upstream's cache, and whatever models of
// `@ai-sdk/openai-compatible` would spread into the wire message.
const spreadNamespaces = new Set(['openaiCompatible', 'openai-compatible']);
const steering = new Set(['cacheControl', 'cache_control']);
// Models make texts of what they expect to be one, which throws for an object with a member of such a name.
const ownMethods = new Set(['toString', 'valueOf', '__proto__']);

const withoutMethods = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutMethods);
  const object = asObject(value);
  if (object === undefined) return value;
  const entries = Object.entries(object).filter(([name]) => !ownMethods.has(name));
  return Object.fromEntries(entries.map(([name, member]) => [name, withoutMethods(member)]));
};

const readMetadata = (value: unknown): SharedV4ProviderOptions | undefined => {
  const entries = Object.entries(asObject(withoutMethods(value)) ?? {}).flatMap(([namespace, given]) => {
    const members = Object.entries(asObject(given) ?? {}).filter(([name]) =>
      spreadNamespaces.has(namespace) ? name === 'thoughtSignature' : !steering.has(name),
    );
    return members.length === 0 ? [] : [[namespace, Object.fromEntries(members)] as const];
  });
  // Sound: the values were parsed from JSON, and are objects.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as SharedV4ProviderOptions);
};

/** Reads the state back. A context of another provider, or none, is no state. */
export const readPartContext = (context: string | undefined): PartState => {
  const state =
    context === undefined ? undefined : asObject(parseClientJson(Buffer.from(context, 'base64').toString('utf8')));
  if (state === undefined) return {};
  const reasoning = asArray(state['reasoning']).flatMap((value): readonly Reasoning[] => {
    const piece = asObject(value);
    const text = piece?.['text'];
    return piece === undefined || typeof text !== 'string' ? [] : [{ text, metadata: readMetadata(piece['metadata']) }];
  });
  return { metadata: readMetadata(state['metadata']), reasoning, tool: state['tool'] };
};
