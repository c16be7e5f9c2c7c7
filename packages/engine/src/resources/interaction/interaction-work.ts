import type { InteractionEnding } from '@tollgate/contract';
import type { GenerationCall, InteractionCall, JsonObject, Usage } from '@tollgate/provider';
import { draftResource, type ResourceDraft } from '../../decisions/resource-draft.ts';
import type { RunName } from '../../tools/tool-runner.ts';
import { workReader } from '../../decisions/stored-values.ts';
import type { RunningJob } from '../../workers/provider-job.ts';
import type { ModelRoute } from '../model-route.ts';
import type { StoredEstimate } from './stored-estimate.ts';
import type { StoredJson } from './stored-json.ts';
import type { StoredStep, StoredTool } from './stored-step.ts';

/** What a client asked for, but for its input. */
export interface InteractionSettings extends Pick<
  InteractionCall,
  'systemInstruction' | 'format' | 'sampling' | 'thinking' | 'speech' | 'transcription' | 'videoTask' | 'agent'
> {
  readonly tools: readonly StoredTool[];
  /** What a client that asked for one generation wants of each model round; absent where it asked for an interaction. */
  readonly round?: RoundWish | undefined;
}

/** A forced choice holds for the first model round: the later ones go on from what its tools returned. */
export interface RoundWish extends Pick<GenerationCall, 'toolChoice' | 'responseFormat' | 'outputTokensMax'> {
  /** The client's own name of its end user, where it sent one. */
  readonly sender?: Pick<GenerationCall, 'endUser'>;
  /** How often tools of the gateway may be called, all together and each: a call beyond is refused to the model. */
  readonly toolCallsMax?: number | undefined;
  readonly callsMaxByTool?: Readonly<Partial<Record<RunName, number>>> | undefined;
}

/** What an interaction continues. */
export interface InteractionChain {
  readonly previousId: string | null;
  /** Interactions that come before it. */
  readonly depth: number;
  /** JSON of the steps of all of them. */
  readonly bytes: number;
}

/** What was asked for, as it is kept until the interaction has ended. */
export interface InteractionOrder extends InteractionChain {
  /** Carried out by the provider as a job, or round by round by the gateway. */
  readonly execution: 'job' | 'rounds';
  readonly input: StoredJson<readonly StoredStep[]>;
  readonly settings: StoredJson<InteractionSettings>;
  readonly environmentId: string | null;
  /** What its opening has reserved for; null where a provider carries it out, absent of what an earlier version has opened. */
  readonly held?: StoredEstimate | null;
  /** What the route that opened it keeps with it, for its own answers; nothing here reads it. */
  readonly note?: StoredJson<JsonObject> | null;
}

/** A function that is declared to the model for a tool that the gateway runs. */
export interface DeclaredFunction {
  readonly tool: RunName;
  /** The place of its setting among the tools. */
  readonly place: number;
  /** As the model knows it. */
  readonly name: string;
  /** As its runner knows it. */
  readonly ownName: string;
  readonly description?: string;
  readonly parameters?: JsonObject;
  readonly strict?: boolean;
}

/** How far the gateway's own loop is. */
export interface RoundProgress {
  readonly author: ModelRoute<string>;
  readonly declared: StoredJson<readonly DeclaredFunction[]>;
  readonly steps: StoredJson<readonly StoredStep[]>;
  readonly usage: readonly Usage[];
  /** The model has been asked so many times. */
  readonly rounds: number;
  readonly toolCalls: number;
  /** Citations that wait for the text that they belong to. */
  readonly citations: readonly JsonObject[];
  /** How long workers have been at it. */
  readonly workedMs: number;
  readonly tries: number;
  /** Whether the last model round ended because the output was cut or refused. */
  readonly cut: boolean;
}

/** How far an interaction is; each is durable before what follows it is done. */
export type InteractionWork =
  | { readonly phase: 'asked'; readonly order: InteractionOrder; readonly tries: number }
  /**
   * Its tools declare their functions, which nothing has been handed over for. Workers have begun it so many times: one that is
   * found here died of it, or beside it.
   */
  | {
      readonly phase: 'declaring';
      readonly order: InteractionOrder;
      readonly begun: number;
      /** The hold at the opening, in micro-credits. */
      readonly openedMicros: string;
    }
  /** A job may have been handed over: who finds this after a death cannot know. */
  | { readonly phase: 'submitting'; readonly order: InteractionOrder }
  | ({ readonly phase: 'job'; readonly order: InteractionOrder; readonly author: ModelRoute<string> } & RunningJob)
  /** Nothing is under way: the next model round can be handed over. */
  | { readonly phase: 'between'; readonly order: InteractionOrder; readonly progress: RoundProgress }
  /** A model round may have been handed over: who finds this after a death cannot know. */
  | { readonly phase: 'hop'; readonly order: InteractionOrder; readonly progress: RoundProgress }
  /** A call of a tool was begun. */
  | {
      readonly phase: 'tool';
      readonly order: InteractionOrder;
      readonly progress: RoundProgress;
      readonly callId: string;
      /** Workers have begun the call so many times (default: once). */
      readonly begun?: number;
    }
  | EndedInteraction;

/** What is kept of an interaction that has ended, for those that continue it and for its downloads. */
export interface EndedInteraction extends InteractionChain {
  readonly phase: 'ended';
  readonly author: ModelRoute<string>;
  readonly ending: InteractionEnding;
  readonly input: StoredJson<readonly StoredStep[]>;
  readonly steps: StoredJson<readonly StoredStep[]>;
  readonly note?: InteractionOrder['note'];
  /** By which its provider continues it. */
  readonly reference: string | null;
  /** Blobs of media that came with the request. */
  readonly givenBlobs: readonly string[];
  /** Generated media in the order of their index; empty once their time is over. */
  readonly media: readonly { readonly mimeType: string; readonly sizeBytes: number; readonly blobKey: string }[];
}

/** The work of an interaction's record, or null where it holds none. */
export const interactionWork = workReader<InteractionWork>('phase');

/** An interaction as it is created: nothing of it was submitted. */
export const openInteraction = (
  order: InteractionOrder,
  publicFields: ResourceDraft['publicFields'],
): ResourceDraft<InteractionWork> =>
  draftResource({
    kind: 'interaction',
    publicFields,
    work: { phase: 'asked', order, tries: 0 },
  });
