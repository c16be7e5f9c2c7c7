import {
  asArray,
  asObject,
  asText,
  asUpstreamId,
  appendText,
  createGrowingText,
  wholeText,
  type CallPiece,
  type GrowingText,
  type JsonObject,
  type UntrustedObject,
} from '@tollgate/provider';
import { readText } from './from-openai.ts';

/** What a chunk adds that can be handed over at once. */
export interface ChunkText {
  readonly text: string;
  readonly thought: string;
  readonly calls: readonly CallPiece[];
}

/** The chunks of one streamed completion, put together as they come. */
export interface StreamedCompletion {
  /** Adds a chunk. Total: what it cannot read adds nothing. */
  readonly add: (chunk: unknown) => ChunkText;
  /** Whether the upstream said how the answer ended. */
  readonly finished: () => boolean;
  /** The completion as it would have come in one piece; undefined where no chunk held a choice. */
  readonly whole: () => JsonObject | undefined;
  /** The first id that a chunk carried. */
  readonly answerId: () => string | undefined;
  /** The last usage that a chunk carried, which what came after it is not part of. */
  readonly usage: () => unknown;
}

interface StreamedCall {
  readonly index: unknown;
  id: string | undefined;
  name: string | undefined;
  arguments: string;
  /** What of them was not handed over yet; null for a call that is handed over when it is whole. */
  unsent: string | null;
  begun: boolean;
  extraContent: unknown;
}

interface State {
  readonly content: GrowingText;
  readonly refusals: string[];
  /** Members by which upstreams carry reasoning. */
  readonly reasoning: Map<'reasoning_content' | 'reasoning', GrowingText>;
  readonly reasoningDetails: unknown[];
  readonly calls: StreamedCall[];
  readonly annotations: unknown[];
  answerId: string | undefined;
  finishReason: unknown;
  usage: unknown;
  serviceTier: unknown;
  /** Whether something of the answer came after that usage, which it cannot count. */
  outgrown: boolean;
  hasChoice: boolean;
}

export const createStreamedCompletion = (): StreamedCompletion => {
  const state: State = {
    content: createGrowingText(),
    refusals: [],
    reasoning: new Map(),
    reasoningDetails: [],
    calls: [],
    annotations: [],
    answerId: undefined,
    finishReason: null,
    usage: undefined,
    serviceTier: undefined,
    outgrown: false,
    hasChoice: false,
  };
  return {
    add: (chunk) => addChunk(state, asObject(chunk) ?? {}),
    finished: () => asText(state.finishReason) !== undefined,
    whole: () => (state.hasChoice ? toCompletion(state) : undefined),
    answerId: () => state.answerId,
    usage: () => state.usage,
  };
};

const addChunk = (state: State, chunk: UntrustedObject): ChunkText => {
  state.answerId ??= asUpstreamId(chunk['id']);
  if (asText(chunk['service_tier']) !== undefined) state.serviceTier = chunk['service_tier'];
  const isMeasured = asObject(chunk['usage']) !== undefined;
  if (isMeasured) {
    state.usage = chunk['usage'];
    state.outgrown = false;
  }
  const choice = asObject(asArray(chunk['choices'])[0]);
  if (choice === undefined) return { text: '', thought: '', calls: [] };
  state.hasChoice = true;
  if (asText(choice['finish_reason']) !== undefined) state.finishReason = choice['finish_reason'];
  // Some servers send the last chunk, or all of it, as a message.
  const delta = asObject(choice['delta']) ?? asObject(choice['message']) ?? {};
  const added = addDelta(state, delta);
  if (!isMeasured && (added.text !== '' || added.thought !== '' || asArray(delta['tool_calls']).length > 0))
    state.outgrown = true;
  return added;
};

const addDelta = (state: State, delta: UntrustedObject): ChunkText => {
  const text = readText(delta['content']);
  appendText(state.content, text);
  const refusal = asText(delta['refusal']);
  if (refusal !== undefined) state.refusals.push(refusal);
  for (const detail of asArray(delta['reasoning_details'])) state.reasoningDetails.push(detail);
  for (const annotation of asArray(delta['annotations'])) state.annotations.push(annotation);
  const calls = asArray(delta['tool_calls']).flatMap((call) => {
    const piece = pieceOf(state.calls, addCall(state.calls, asObject(call) ?? {}));
    return piece === undefined ? [] : [piece];
  });
  return { text, thought: addReasoning(state, delta), calls };
};

const reasoningMembers = ['reasoning_content', 'reasoning'] as const;

/** Servers that send both members send the same words twice. */
const addReasoning = ({ reasoning }: State, delta: UntrustedObject): string => {
  let first = '';
  for (const member of reasoningMembers) {
    const added = asText(delta[member]) ?? '';
    if (added === '') continue;
    const words = reasoning.get(member) ?? createGrowingText();
    appendText(words, added);
    reasoning.set(member, words);
    if (first === '') first = added;
  }
  return first;
};

/**
 * Deltas of one call share an index. Some servers leave the index out, and some give all their calls the same one, whole and
 * with ids of their own.
 */
const addCall = (calls: StreamedCall[], delta: UntrustedObject): StreamedCall => {
  const id = asText(delta['id']);
  const fn = asObject(delta['function']) ?? {};
  const name = asText(fn['name']);
  const call = callOf(calls, { index: delta['index'], id, name });
  call.id ??= id;
  call.name ??= name;
  call.extraContent ??= asObject(delta['extra_content']);
  const given = fn['arguments'];
  const added = typeof given === 'string' ? given : asObject(given) === undefined ? '' : JSON.stringify(given);
  call.arguments += added;
  if (call.unsent !== null) call.unsent += added;
  return call;
};

/**
 * What of a call can be handed over. A call without an id gets one when the answer is whole, and so does the second one of an
 * id; arguments of nothing but white space may become an empty object then.
 */
const pieceOf = (calls: readonly StreamedCall[], call: StreamedCall): CallPiece | undefined => {
  const { id, name, unsent } = call;
  if (unsent === null || id === undefined || name === undefined) return undefined;
  if (!call.begun && calls.some((other) => other !== call && other.id === id)) {
    call.unsent = null;
    return undefined;
  }
  const isHeld = unsent.trim() === '' && unsent.length === call.arguments.length;
  if (call.begun && (isHeld || unsent === '')) return undefined;
  call.begun = true;
  if (!isHeld) call.unsent = '';
  return { kind: 'call_piece', id, name, arguments: isHeld ? '' : unsent };
};

interface CallHead {
  readonly index: unknown;
  readonly id: string | undefined;
  readonly name: string | undefined;
}

const callOf = (calls: StreamedCall[], { index, id, name }: CallHead): StreamedCall => {
  const known = index === undefined ? calls.at(-1) : calls.findLast((call) => call.index === index);
  const otherId = id !== undefined && known?.id !== undefined && known.id !== id;
  const otherCall = index === undefined && id === undefined && name !== undefined && known?.name !== undefined;
  if (known !== undefined && !otherId && !otherCall) return known;
  const call: StreamedCall = {
    index,
    id: undefined,
    name: undefined,
    arguments: '',
    unsent: '',
    begun: false,
    extraContent: undefined,
  };
  calls.push(call);
  return call;
};

const toCompletion = (state: State): JsonObject => ({
  choices: [{ message: toMessage(state), finish_reason: state.finishReason }],
  // Some servers tell with the first chunk what went in, and never what came out.
  usage: state.outgrown ? undefined : state.usage,
  service_tier: state.serviceTier,
});

const toMessage = (state: State): JsonObject => ({
  content: wholeText(state.content),
  ...(state.refusals.length === 0 ? {} : { refusal: state.refusals.join('') }),
  ...Object.fromEntries([...state.reasoning].map(([member, words]) => [member, wholeText(words)])),
  ...(state.reasoningDetails.length === 0 ? {} : { reasoning_details: state.reasoningDetails }),
  annotations: state.annotations.length === 0 ? undefined : state.annotations,
  tool_calls: state.calls.map((call) => ({
    id: call.id,
    function: { name: call.name, arguments: call.arguments },
    extra_content: call.extraContent,
  })),
});
