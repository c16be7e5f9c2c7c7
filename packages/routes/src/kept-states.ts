import { GatewayError } from '@tollgate/contract';
import { storePendingBlob, type Engine } from '@tollgate/engine';
import { contextBytesMax, type CallContext, type Generation, type GenerationCall, type Part } from '@tollgate/provider';
import { oneChunk } from '@tollgate/storage';
import type { StreamSink } from './call-order.ts';
import type { Service } from './service.ts';

/** States of one call that lay in the store, in bytes: what one request may bring into memory. */
const statesBytesMax = 16_777_216;

/** What stands in place of a state that lies in the store begins so, in base64, as the states of upstreams that clients know. */
const opening = Buffer.from('kept-state::').toString('base64');
/** An id of the engine behind it. */
const idShape = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

const toReference = (id: string): string => `${opening}${Buffer.from(id).toString('base64')}`;

const idOf = (context: string): string | null => {
  if (!context.startsWith(opening)) return null;
  const id = Buffer.from(context.slice(opening.length), 'base64').toString();
  return idShape.test(id) ? id : null;
};

/** States of a project lie together: a reference finds none of another project. */
const blobKeyOf = (projectId: string, id: string): string => `states/${projectId}/${id}`;

/** Puts the long states of one answer aside. */
interface StateKeeper {
  /** The same parts, each long state by a reference to it. Parts of equal states have equal references. */
  readonly shorten: (parts: readonly Part[]) => readonly Part[];
  /** Resolves when every state lies in the store, or could not be put there; null where there is none. */
  readonly kept: () => Promise<unknown> | null;
}

type StatePart = Exclude<Part, { readonly kind: 'function_response' }>;

const hasContext = (part: Part): part is StatePart & { readonly context: string } =>
  part.kind !== 'function_response' && part.context !== undefined;

const withoutContext = ({ context: _context, ...bare }: StatePart): Part => bare;

const createStateKeeper = (
  engine: Engine,
  { caller: { projectId }, operationId }: StatesOfAnswer['context'],
  carriedBytesMax: number,
): StateKeeper => {
  const references = new Map<string, string>();
  const writes: Promise<unknown>[] = [];
  // As long as a client may send the answer back, and the run that is to settle first.
  const keptMs = engine.limits.answerKeptMs + engine.limits.executionMs;
  const keep = (context: string): string => {
    const id = engine.newId();
    const stored = storePendingBlob(engine, blobKeyOf(projectId, id), oneChunk(Buffer.from(context)), keptMs);
    const lost = (cause: unknown): void =>
      engine.logger.error('a state of an upstream could not be kept', {
        code: 'state_not_kept',
        operationId,
        projectId,
        cause,
      });
    writes.push(stored.catch(lost));
    return toReference(id);
  };
  const shortened = (part: Part): Part => {
    if (!hasContext(part) || Buffer.byteLength(part.context) <= carriedBytesMax) return part;
    const { context } = part;
    if (Buffer.byteLength(context) > contextBytesMax) return withoutContext(part);
    const reference = references.get(context) ?? keep(context);
    references.set(context, reference);
    return { ...part, context: reference };
  };
  return {
    shorten: (parts) => (parts.some(hasContext) ? parts.map(shortened) : parts),
    kept: () => (writes.length === 0 ? null : Promise.all(writes)),
  };
};

/** Where the states of one answer go, and how long one may be that travels with the client. */
export interface StatesOfAnswer {
  readonly service: Pick<Service, 'engine'>;
  readonly context: Pick<CallContext, 'caller'> & { readonly operationId: string };
  readonly carriedBytesMax: number;
  readonly sink: StreamSink | null;
}

/**
 * Runs a generation whose long states lie in the store when it has ended: clients, records and replays have references in their
 * place. Retention removes them. A state that cannot be kept is lost, as one that is too long; the answer is not.
 */
export const keepingStates = (
  states: StatesOfAnswer,
  run: (sink: StreamSink | null) => Promise<Generation>,
): Promise<Generation> => {
  const { sink } = states;
  if (sink !== null)
    return runKeeping(states, (shorten) => run({ ...sink, onParts: (parts) => sink.onParts(shorten(parts)) }));
  // Nothing is kept before the answer is there, and most answers have no states.
  return run(null).then((generation) =>
    hasStates(generation) ? runKeeping(states, () => Promise.resolve(generation)) : generation,
  );
};

const hasStates = ({ functionCalls, parts = [] }: Generation): boolean =>
  functionCalls.some(hasContext) || parts.some(hasContext);

const runKeeping = async (
  { service, context, carriedBytesMax }: StatesOfAnswer,
  run: (shorten: StateKeeper['shorten']) => Promise<Generation>,
): Promise<Generation> => {
  const { shorten, kept } = createStateKeeper(service.engine, context, carriedBytesMax);
  try {
    const generation = await run(shorten);
    const functionCalls = shorten(generation.functionCalls).filter((part) => part.kind === 'function_call');
    return generation.parts === undefined
      ? { ...generation, functionCalls }
      : { ...generation, functionCalls, parts: shorten(generation.parts) };
  } finally {
    const writing = kept();
    if (writing !== null) await writing;
  }
};

type Call = Omit<GenerationCall, 'operationId'>;

const referencesIn = ({ contents }: Call): readonly string[] => {
  const references = new Set<string>();
  for (const { parts } of contents)
    for (const part of parts) if (hasContext(part) && part.context.startsWith(opening)) references.add(part.context);
  return references.size === 0 ? [] : [...references];
};

const tooLong = (): GatewayError =>
  new GatewayError('input_limit', {
    detail: `The conversation brings more than ${statesBytesMax} bytes of states of earlier answers back; accepted are fewer of these answers.`,
  });

/** A thought without its state says nothing to the model that had it; of any other part the state alone is left out. */
const withState = (part: Part, states: ReadonlyMap<string, string | null>): readonly Part[] => {
  const state = hasContext(part) ? states.get(part.context) : undefined;
  if (state === undefined || !hasContext(part)) return [part];
  if (state !== null) return [{ ...part, context: state }];
  return part.thought === true ? [] : [withoutContext(part)];
};

/**
 * A call with the states that its references stand for. One that the project does not have, or has no longer, is left out as one of
 * another model is. Throws where they are more than one call may bring along.
 */
export const withKeptStates = <C extends Call>(
  service: Pick<Service, 'engine'>,
  projectId: string,
  call: C,
): C | Promise<C> => {
  const references = referencesIn(call);
  return references.length === 0 ? call : withStatesOf(service, projectId, call, references);
};

const withStatesOf = async <C extends Call>(
  { engine }: Pick<Service, 'engine'>,
  projectId: string,
  call: C,
  references: readonly string[],
): Promise<C> => {
  const states = new Map<string, string | null>();
  let bytesSum = 0;
  for (const reference of references) {
    const id = idOf(reference);
    const bytes = id === null ? undefined : await engine.storage.blobs.get(blobKeyOf(projectId, id));
    bytesSum += bytes?.length ?? 0;
    if (bytesSum > statesBytesMax) throw tooLong();
    states.set(reference, bytes === undefined ? null : Buffer.from(bytes).toString());
  }
  const contents = call.contents.map((content) => ({
    ...content,
    parts: content.parts.flatMap((part) => withState(part, states)),
  }));
  return { ...call, contents };
};

/** Refuses a call of a batch with such a reference: its items run later than the states may be kept. */
export const refuseKeptStates = (call: Call): void => {
  if (referencesIn(call).length > 0)
    throw new GatewayError('unsupported_content', {
      detail:
        'The conversation brings the state of an earlier answer back that is too long to be sent in a batch; accepted is the conversation without it, or outside of a batch.',
    });
};

/** Bytes of a state that is sealed, and fits the field of a message then; a longer one stays in the store. */
export const sealedStateBytesMax = 45_000;
