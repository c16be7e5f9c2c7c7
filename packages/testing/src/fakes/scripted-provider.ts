import {
  NotExecuted,
  type BatchCall,
  type CallContext,
  type Caller,
  type EmbeddingCall,
  type Embeddings,
  type GeneratedVideos,
  type Generation,
  type GenerationCall,
  type GenerationEnd,
  type ModerationCall,
  type Moderations,
  type ProjectFile,
  type Provider,
  type ProviderFiles,
  type ProviderJobs,
  type ProviderLive,
  type Usage,
  type VideoCall,
} from '@tollgate/provider';
import {
  scriptedInteractions,
  takesScriptedInteraction,
  type ScriptedInteractionLog,
} from './scripted-interactions.ts';
import { scriptedLive, type ScriptedLive } from './scripted-live.ts';
import {
  performStep,
  scriptedGeneration,
  type Performance,
  type ScriptedAnswer,
  type ScriptedStep,
} from './scripted-step.ts';
import { toModerations } from './scripted-moderations.ts';
import { scriptedBatches } from './scripted-batches.ts';
import { scriptedCaches, type ScriptedCacheLog } from './scripted-caches.ts';
import { scriptedJob, scriptedProgress } from './scripted-videos.ts';

export interface ScriptedCall {
  readonly call: GenerationCall;
  readonly context: CallContext;
}

export interface ScriptedEmbedCall {
  readonly call: EmbeddingCall;
  readonly context: CallContext;
}

export interface ScriptedVideoCall {
  readonly call: VideoCall;
  readonly context: CallContext;
}

export interface ScriptedProvider extends Provider {
  readonly generate: (call: GenerationCall, context: CallContext) => Promise<Generation>;
  readonly generateStream: NonNullable<Provider['generateStream']>;
  readonly embed: (call: EmbeddingCall, context: CallContext) => Promise<Embeddings>;
  readonly moderate: (call: ModerationCall, context: CallContext) => Promise<Moderations>;
  readonly videos: ProviderJobs<VideoCall, GeneratedVideos>;
  /** Every tier: what was served is for a step to say. */
  readonly takesServiceTier: () => boolean;
  readonly close: () => Promise<void>;
  /** Every generation, streamed or not, that was not already given up, in the order it came. */
  readonly calls: readonly ScriptedCall[];
  /** Every embedding that was not already given up, in the order it came. */
  readonly embedCalls: readonly ScriptedEmbedCall[];
  /** Every moderation that was not already given up, in the order it came. */
  readonly moderationCalls: readonly ModerationCall[];
  /** Every video that was begun and not already given up, in the order it came. */
  readonly videoCalls: readonly ScriptedVideoCall[];
  /** Every job that was asked for, in order. */
  readonly polledJobs: readonly string[];
  /** How often the operation was handed to this provider. */
  readonly executions: (operationId: string) => number;
  /** Resolves when that many generations, embeddings and videos have come in all. */
  readonly received: (count: number) => Promise<void>;
  /** Adds steps to the end of the script of generations and embeddings. */
  readonly script: (...steps: readonly ScriptedStep[]) => void;
  /** Adds steps to the end of the script of `countTokens`. */
  readonly scriptCounts: (...steps: readonly ScriptedStep[]) => void;
  /** Adds steps to the end of the script of `files`. */
  readonly scriptFiles: (...steps: readonly ScriptedStep[]) => void;
  /** Adds steps to the end of the script by which videos are begun. */
  readonly scriptVideos: (...steps: readonly ScriptedStep[]) => void;
  /** Adds steps to the end of the script by which jobs are asked for. */
  readonly scriptPolls: (...steps: readonly ScriptedStep[]) => void;
  /** Adds steps to the end of the script of `caches`. */
  readonly scriptCaches: (...steps: readonly ScriptedStep[]) => void;
  /** Adds steps to the end of the script by which batches are begun; their jobs go by that of `scriptPolls`. */
  readonly scriptBatches: (...steps: readonly ScriptedStep[]) => void;
  /** What was asked of `caches`. */
  readonly cacheLog: ScriptedCacheLog;
  /** Batches that were begun, and jobs that were cancelled, in order. */
  readonly batchLog: { readonly started: readonly BatchCall[]; readonly cancelled: readonly string[] };
  /** Adds steps to the end of the script by which interactions are begun; their jobs go by that of `scriptPolls`. */
  readonly scriptInteractions: (...steps: readonly ScriptedStep[]) => void;
  /** What was asked of `interactions`. */
  readonly interactionLog: ScriptedInteractionLog;
  /** Sessions, which do what a test tells them to. */
  readonly live: ProviderLive & Omit<ScriptedLive, 'live'>;
  /** Whose calls there were so far, of any method but those of sessions, in order. */
  readonly callers: readonly Caller[];
  /** Calls of any method so far that were not already given up. */
  readonly upstreamRequests: () => number;
}

export interface ScriptedProviderOptions {
  readonly name?: string;
  /** The first steps of generations and embeddings, in order. */
  readonly steps?: readonly ScriptedStep[];
  /** What a call does when the script has ended (default: it answers). */
  readonly otherwise?: ScriptedStep;
  /** The script of `countTokens`, which exists only where this is given: an estimate uses up no step of the other script. */
  readonly countSteps?: readonly ScriptedStep[];
  /** The script of `files`, which exists only where this is given. */
  readonly fileSteps?: readonly ScriptedStep[] | undefined;
  /** The script of `caches`, which exists only where this is given. */
  readonly cacheSteps?: readonly ScriptedStep[] | undefined;
  /** The script of `batches.start`; `batches` exists only where this is given. */
  readonly batchSteps?: readonly ScriptedStep[] | undefined;
  /** The script of `interactions.start`; `interactions` exists only where this is given. */
  readonly interactionSteps?: readonly ScriptedStep[] | undefined;
  /** Whether an interaction of the model is a job (default: of models that do not generate text). */
  readonly takesInteraction?: (upstreamModel: string) => boolean;
  /** `runsTool`, which exists only where this is given. */
  readonly runsTool?: Provider['runsTool'] | undefined;
  /** Clock of the attempts (default: always 0). */
  readonly now?: () => number;
}

interface Stage {
  readonly calls: ScriptedCall[];
  readonly embedCalls: ScriptedEmbedCall[];
  readonly moderationCalls: ModerationCall[];
  readonly steps: ScriptedStep[];
  readonly countSteps: ScriptedStep[];
  readonly fileSteps: ScriptedStep[];
  readonly interactionSteps: ScriptedStep[];
  readonly cacheSteps: ScriptedStep[];
  readonly batchSteps: ScriptedStep[];
  readonly videoCalls: ScriptedVideoCall[];
  readonly videoSteps: ScriptedStep[];
  readonly pollSteps: ScriptedStep[];
  readonly polledJobs: string[];
  readonly otherwise: ScriptedStep;
  readonly now: () => number;
  readonly callers: Caller[];
  upstreamRequests: number;
  /** Caches and batches that have come in. */
  keptCalls: number;
  waiting: { readonly count: number; readonly resolve: () => void }[];
}

const createStage = (options: ScriptedProviderOptions): Stage => ({
  calls: [],
  embedCalls: [],
  moderationCalls: [],
  steps: [...(options.steps ?? [])],
  countSteps: [...(options.countSteps ?? [])],
  fileSteps: [...(options.fileSteps ?? [])],
  interactionSteps: [...(options.interactionSteps ?? [])],
  cacheSteps: [...(options.cacheSteps ?? [])],
  batchSteps: [...(options.batchSteps ?? [])],
  videoCalls: [],
  videoSteps: [],
  pollSteps: [],
  polledJobs: [],
  otherwise: options.otherwise ?? { kind: 'answer' },
  now: options.now ?? (() => 0),
  callers: [],
  upstreamRequests: 0,
  keptCalls: 0,
  waiting: [],
});

const executionsOf =
  ({ calls, embedCalls, videoCalls }: Stage): ScriptedProvider['executions'] =>
  (operationId) =>
    [...calls, ...embedCalls, ...videoCalls].filter(({ call }) => call.operationId === operationId).length;

/** What was served is for a step to say. */
const takesServiceTier = (): boolean => true;

/** A provider that does what a test wrote down, and remembers who asked for what. */
export const scriptedProvider = (options: ScriptedProviderOptions = {}): ScriptedProvider => {
  const { name = 'scripted' } = options;
  const stage = createStage(options);
  const begun = (): void => {
    stage.keptCalls += 1;
    tellWaiting(stage);
  };
  const { caches, log: cacheLog } = scriptedCaches((context) => ask(stage, stage.cacheSteps, context), begun);
  const { batches, log: batchLog } = scriptedBatches(
    (context) => ask(stage, stage.batchSteps, context),
    (context) => ask(stage, stage.pollSteps, context),
    begun,
  );
  const { interactions, log: interactionLog } = scriptedInteractions(
    (context) => ask(stage, stage.interactionSteps, context),
    (context) => ask(stage, stage.pollSteps, context),
    begun,
  );
  const { live, ...liveScript } = scriptedLive();
  return {
    name,
    takesServiceTier,
    live: { ...live, ...liveScript },
    calls: stage.calls,
    embedCalls: stage.embedCalls,
    moderationCalls: stage.moderationCalls,
    videoCalls: stage.videoCalls,
    polledJobs: stage.polledJobs,
    executions: executionsOf(stage),
    received: (count) =>
      new Promise((resolve) => {
        stage.waiting.push({ count, resolve });
        tellWaiting(stage);
      }),
    script: (...more) => void stage.steps.push(...more),
    scriptCounts: (...more) => void stage.countSteps.push(...more),
    scriptFiles: (...more) => void stage.fileSteps.push(...more),
    scriptVideos: (...more) => void stage.videoSteps.push(...more),
    scriptPolls: (...more) => void stage.pollSteps.push(...more),
    scriptInteractions: (...more) => void stage.interactionSteps.push(...more),
    interactionLog,
    scriptCaches: (...more) => void stage.cacheSteps.push(...more),
    scriptBatches: (...more) => void stage.batchSteps.push(...more),
    cacheLog,
    batchLog,
    callers: stage.callers,
    upstreamRequests: () => stage.upstreamRequests,
    generate: async (call, context) => {
      const { generation } = await take(stage, context, () => stage.calls.push({ call, context }));
      return { ...scriptedGeneration, ...generation };
    },
    generateStream: async (call, context, onParts, onCallPiece) =>
      toEnd(await take(stage, context, () => stage.calls.push({ call, context }), { onParts, onCallPiece })),
    embed: async (call, context) =>
      toEmbeddings(call, await take(stage, context, () => stage.embedCalls.push({ call, context }))),
    moderate: async (call, context) =>
      toModerations(call, await take(stage, context, () => stage.moderationCalls.push(call))),
    ...(options.countSteps === undefined ? {} : { countTokens: scriptedCount(stage) }),
    ...(options.fileSteps === undefined ? {} : { files: scriptedFiles(name, stage) }),
    ...(options.interactionSteps === undefined
      ? {}
      : { interactions, takesInteraction: options.takesInteraction ?? takesScriptedInteraction }),
    videos: scriptedVideos(stage),
    ...(options.runsTool && { runsTool: options.runsTool }),
    ...(options.cacheSteps === undefined ? {} : { caches }),
    ...(options.batchSteps === undefined ? {} : { batches }),
    close: async () => {},
  };
};

const tellWaiting = (stage: Stage): void => {
  const count = stage.calls.length + stage.embedCalls.length + stage.videoCalls.length + stage.keptCalls;
  for (const waiting of stage.waiting) if (count >= waiting.count) waiting.resolve();
  stage.waiting = stage.waiting.filter((waiting) => count < waiting.count);
};

/** A call that is already given up is not handed over, and uses up no step. */
const take = async (
  stage: Stage,
  context: CallContext,
  remember: () => void,
  handing: Pick<Performance, 'onParts' | 'onCallPiece'> = {},
): Promise<ScriptedAnswer> => {
  if (context.signal.aborted) throw new NotExecuted({ reason: 'cancelled' });
  remember();
  tellWaiting(stage);
  return perform(stage, stage.steps.shift() ?? stage.otherwise, { context, ...handing });
};

const ask = async (stage: Stage, steps: ScriptedStep[], context: CallContext): Promise<ScriptedAnswer> => {
  if (context.signal.aborted) throw new NotExecuted({ reason: 'cancelled' });
  return perform(stage, steps.shift() ?? { kind: 'answer' }, { context });
};

const perform = async (
  stage: Stage,
  step: ScriptedStep,
  rest: Omit<Performance, 'now' | 'startedAtMs'>,
): Promise<ScriptedAnswer> => {
  stage.upstreamRequests += 1;
  stage.callers.push(rest.context.caller);
  const startedAtMs = stage.now();
  // No upstream answers at once.
  await Promise.resolve();
  return performStep(step, { ...rest, now: stage.now, startedAtMs });
};

const toEnd = ({ generation }: ScriptedAnswer): GenerationEnd => {
  const { text: _text, functionCalls: _calls, parts: _parts, ...end } = { ...scriptedGeneration, ...generation };
  return end;
};

const toEmbeddings = ({ input, dimensions }: EmbeddingCall, { embeddings }: ScriptedAnswer): Embeddings => {
  const texts = input.kind === 'texts' ? input.texts : [JSON.stringify(input.parts)];
  return {
    vectors: texts.map((text) => scriptedVector(text, dimensions ?? 2)),
    usage: [{ unit: 'embedding_tokens', quantity: 3 * texts.length, confirmed: true }],
    ...embeddings,
  };
};

/** Equal texts have equal vectors. */
const scriptedVector = (text: string, dimensions: number): readonly number[] =>
  Array.from({ length: dimensions }, (_, index) => text.length / (index + 2) - (text.codePointAt(index) ?? 0));

const scriptedCount =
  (stage: Stage) =>
  async (_call: GenerationCall, context: CallContext): Promise<readonly Usage[]> => {
    const { tokens } = await ask(stage, stage.countSteps, context);
    return tokens ?? [{ unit: 'input_text_tokens', quantity: 10, confirmed: true }];
  };

/** Notes a copy under a name of its own, and finds it by that name again. */
const scriptedFiles = (name: string, stage: Stage): ProviderFiles => {
  const noteOf = (file: ProjectFile): string => `${name}:${file.id}`;
  return {
    upload: async (file, context) => {
      const { fileState } = await ask(stage, stage.fileSteps, context);
      // As an upstream that takes the bytes would.
      for await (const chunk of file.read()) if (chunk.length === 0) break;
      await file.keepReference(noteOf(file));
      return fileState ?? 'active';
    },
    state: async (file, context) => {
      if (file.reference !== noteOf(file))
        throw new NotExecuted({ reason: 'failed', cause: 'a copy that was never made' });
      const { fileState } = await ask(stage, stage.fileSteps, context);
      return fileState ?? 'active';
    },
    remove: async (_file, context) => void (await ask(stage, stage.fileSteps, context)),
  };
};

/** Begins a job whose name says all that there is to know of it. */
const scriptedVideos = (stage: Stage): ScriptedProvider['videos'] => ({
  start: async (call, context) => {
    if (context.signal.aborted) throw new NotExecuted({ reason: 'cancelled' });
    stage.videoCalls.push({ call, context });
    tellWaiting(stage);
    await ask(stage, stage.videoSteps, context);
    return { job: scriptedJob(call.operationId, call.durationSeconds) };
  },
  poll: async (job, context) => {
    const answer = await ask(stage, stage.pollSteps, context);
    stage.polledJobs.push(job);
    return scriptedProgress(job, answer);
  },
});
