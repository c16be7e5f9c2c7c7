import {
  NotExecuted,
  type Attempt,
  type CallContext,
  type Caller,
  type CallPiece,
  type EmbeddingCall,
  type Embeddings,
  type Generation,
  type GenerationCall,
  type GenerationEnd,
  type ModerationCall,
  type Moderations,
  type OnCallPiece,
  type OnParts,
  type ProjectFile,
  type Provider,
  type UpstreamFileState,
  type Usage,
} from '@tollgate/provider';
import { leadsTo } from './find-holder.ts';
import {
  liveEmbedding,
  liveFile,
  liveGeneration,
  liveModeration,
  scopeEmbedding,
  scopeFile,
  scopeGeneration,
  scopeModeration,
} from './file-references.ts';

/** What is asked of a provider, whichever method it comes by. */
export type InvokedMethod =
  | 'generate'
  | 'generateStream'
  | 'embed'
  | 'moderate'
  | 'countTokens'
  | 'files'
  | 'videos'
  | 'interactions'
  | 'batches'
  | 'caches'
  | 'live';

/** How a member is asked where another one may be asked beside it. */
export interface Asking {
  /** In place of that of the call. */
  readonly signal?: AbortSignal;
  /** In place of that of the call. */
  readonly recordAttempt?: (attempt: Attempt) => void;
  /** Called with each piece before it is handed over; a piece that it refuses is dropped. */
  readonly takes?: () => boolean;
}

/** One call on its way to a member. */
export interface Invocation<Answer> {
  readonly method: InvokedMethod;
  /** Undefined for files, which belong to no model. */
  readonly upstreamModel: string | undefined;
  readonly signal: AbortSignal;
  readonly caller: Caller;
  /** The client's own name of its end user, where it sent one. */
  readonly endUser: string | undefined;
  /** Takes an attempt of this call to its record. */
  readonly recordAttempt: (attempt: Attempt) => void;
  /** What an answer was measured to use; empty where that is not known yet, or where the method costs nothing. */
  readonly usageOf: (answer: Answer) => readonly Usage[];
  /** Whether the member has the method. */
  readonly offers: (member: Provider) => boolean;
  /** Asks a member once. What it sends is recorded under the name of the provider that sends it. */
  readonly ask: (member: Provider, asking?: Asking) => Promise<Answer>;
  /** Whether a piece of an answer was handed over: from then on no other provider may be asked. */
  readonly begun: () => boolean;
}

interface Asked<Answer> {
  readonly method: InvokedMethod;
  readonly upstreamModel: string | undefined;
  readonly context: CallContext;
  readonly endUser?: string | undefined;
  readonly usageOf?: (answer: Answer) => readonly Usage[];
  readonly begun?: () => boolean;
  /** Whether a member that has the method can do this with it (default: it can). */
  readonly offers?: ((member: Provider) => boolean) | undefined;
  /** Calls the method; undefined where the member does not have it. */
  readonly call: (member: Provider, context: CallContext, takes: () => boolean) => Promise<Answer> | undefined;
}

/** The provider that is asked stands on its attempts, unless it has already written who it asked itself. */
export const contextFor = (member: Provider, context: CallContext): CallContext => ({
  ...context,
  recordAttempt: (attempt) =>
    context.recordAttempt(attempt.provider === undefined ? { ...attempt, provider: member.name } : attempt),
});

export const invocationOf = <Answer>({
  method,
  upstreamModel,
  context,
  endUser,
  usageOf = () => [],
  begun,
  offers = () => true,
  call,
}: Asked<Answer>): Invocation<Answer> => ({
  method,
  upstreamModel,
  signal: context.signal,
  caller: context.caller,
  endUser,
  recordAttempt: context.recordAttempt,
  usageOf,
  offers: (member) => member[method] !== undefined && offers(member),
  ask: async (member, { takes = () => true, signal, recordAttempt } = {}) => {
    const own = {
      ...context,
      signal: signal ?? context.signal,
      recordAttempt: recordAttempt ?? context.recordAttempt,
    };
    const answer = call(member, contextFor(member, own), takes);
    if (answer !== undefined) return answer;
    throw new NotExecuted({ reason: 'unavailable', lasting: true, cause: `${member.name} has no ${method}` });
  },
  begun: begun ?? (() => false),
});

/** Context that an upstream keeps is of use to the provider that leads to it alone. */
const keeps =
  ({ cached }: GenerationCall) =>
  (member: Provider): boolean =>
    cached === undefined || leadsTo(member, cached.reference);

export const generateInvocation = (given: GenerationCall, context: CallContext): Invocation<Generation> => {
  const live = liveGeneration(given);
  return invocationOf({
    method: 'generate',
    upstreamModel: given.upstreamModel,
    context,
    endUser: given.endUser,
    usageOf: ({ usage }) => usage,
    offers: keeps(given),
    call: (member, its) => member.generate?.(scopeGeneration(live, member), its),
  });
};

export const streamInvocation = (
  given: GenerationCall,
  context: CallContext,
  onParts: OnParts,
  onCallPiece?: OnCallPiece,
): Invocation<GenerationEnd> => {
  const live = liveGeneration(given);
  let begun = false;
  const handTo =
    (takes: () => boolean): OnParts =>
    (parts) => {
      if (!takes()) return;
      begun = true;
      onParts(parts);
    };
  const handPieceTo = (takes: () => boolean): OnCallPiece | undefined =>
    onCallPiece &&
    ((piece: CallPiece): void => {
      if (!takes()) return;
      begun = true;
      onCallPiece(piece);
    });
  return invocationOf({
    method: 'generateStream',
    upstreamModel: given.upstreamModel,
    context,
    endUser: given.endUser,
    usageOf: ({ usage }) => usage,
    offers: keeps(given),
    begun: () => begun,
    call: (member, its, takes) =>
      member.generateStream?.(scopeGeneration(live, member), its, handTo(takes), handPieceTo(takes)),
  });
};

export const embedInvocation = (given: EmbeddingCall, context: CallContext): Invocation<Embeddings> => {
  const live = liveEmbedding(given);
  return invocationOf({
    method: 'embed',
    upstreamModel: given.upstreamModel,
    context,
    endUser: given.endUser,
    usageOf: ({ usage }) => usage,
    call: (member, its) => member.embed?.(scopeEmbedding(live, member), its),
  });
};

export const moderateInvocation = (given: ModerationCall, context: CallContext): Invocation<Moderations> => {
  const live = liveModeration(given);
  return invocationOf({
    method: 'moderate',
    upstreamModel: given.upstreamModel,
    context,
    usageOf: ({ usage }) => usage,
    call: (member, its) => member.moderate?.(scopeModeration(live, member), its),
  });
};

export const countInvocation = (given: GenerationCall, context: CallContext): Invocation<readonly Usage[]> => {
  const live = liveGeneration(given);
  return invocationOf({
    method: 'countTokens',
    upstreamModel: given.upstreamModel,
    context,
    offers: keeps(given),
    call: (member, its) => member.countTokens?.(scopeGeneration(live, member), its),
  });
};

export const stateInvocation = (
  method: 'upload' | 'state',
  given: ProjectFile,
  context: CallContext,
): Invocation<UpstreamFileState> => {
  const live = liveFile(given);
  return invocationOf({
    method: 'files',
    upstreamModel: undefined,
    context,
    call: (member, its) => member.files?.[method](scopeFile(live, member), its),
  });
};

export const removeInvocation = (given: ProjectFile, context: CallContext): Invocation<void> => {
  const live = liveFile(given);
  return invocationOf({
    method: 'files',
    upstreamModel: undefined,
    context,
    // A provider that removes nothing has nothing to be asked.
    call: (member, its) =>
      member.files === undefined
        ? undefined
        : (member.files.remove?.(scopeFile(live, member), its) ?? Promise.resolve()),
  });
};
