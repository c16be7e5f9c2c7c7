import type { BatchCall, BatchResult } from './batch.ts';
import type { ProviderCaches } from './cache.ts';
import type { CallContext } from './call-context.ts';
import type { EmbeddingCall, Embeddings } from './embedding.ts';
import type { Part } from './content.ts';
import type { Generation, GenerationCall, GenerationEnd } from './generation.ts';
import type { Interacted, InteractionCall, ToolName } from './interaction.ts';
import type { ProviderJobs } from './job.ts';
import type { ProviderLive } from './live.ts';
import type { ModerationCall, Moderations } from './moderation.ts';
import type { ProjectFile, UpstreamFileState } from './project-file.ts';
import type { PricedTier } from './service-tier.ts';
import type { ProviderStores } from './store.ts';
import type { Usage } from './usage.ts';
import type { GeneratedVideos, VideoCall } from './video.ts';

/** Takes the next pieces of an answer. Never throws, and never waits. */
export type OnParts = (parts: readonly Part[]) => void;

/**
 * A piece of a function call that the model is still writing. The first piece of an id begins the call, with or without
 * arguments; each piece carries the name.
 */
export interface CallPiece {
  readonly kind: 'call_piece';
  readonly id: string;
  readonly name: string;
  /** What it adds to the JSON text of the arguments. */
  readonly arguments: string;
}

/**
 * Takes the next piece of a call, before the whole call comes as a part. The pieces of a call, joined, are the beginning of
 * the arguments of that part, character for character: a client has read them by then. Pieces of several calls may alternate.
 * Never throws, and never waits.
 */
export type OnCallPiece = (piece: CallPiece) => void;

/** What a provider does with files of the project before they are used; without it they are used as they lie in the host's store. */
export interface ProviderFiles {
  /** Gives the upstream a copy, notes its name through `keepReference`, and returns how far the upstream is with it. */
  readonly upload: (file: ProjectFile, context: CallContext) => Promise<UpstreamFileState>;
  /** How far the upstream is with a copy that was processing. */
  readonly state: (file: ProjectFile, context: CallContext) => Promise<UpstreamFileState>;
  /** Removes the upstream's copy; one that is gone is no error. */
  readonly remove?: ((file: ProjectFile, context: CallContext) => Promise<void>) | undefined;
}

/**
 * A model upstream. A capability it lacks is a method it does not have. The only throw that frees credits is `NotExecuted`:
 * any other means that the upstream may have run, and the operation becomes uncertain.
 */
export interface Provider {
  /** Written on attempts and in logs; never shown to clients. */
  readonly name: string;
  /** One response of a model, whole. */
  generate?(call: GenerationCall, context: CallContext): Promise<Generation>;
  /**
   * The same generation piece by piece: `onParts` is called with each piece as it comes, in order, and the promise resolves
   * when the answer has ended. Pieces are provisional; consecutive texts are to be joined. Ends without a piece where the
   * prompt was refused. Throws as `generate` does until the first piece; after it never `NotExecuted`, for the upstream has
   * certainly run.
   *
   * Every part but a text is handed over whole. A provider that sees a function call while it is written may also report its
   * pieces to `onCallPiece`, where the caller gave it; a provider that ignores `onCallPiece` is complete. The whole
   * `function_call` part follows in any case, and is the truth: it alone is stored, and carries the `context`. A call that
   * was begun comes whole, unless the stream fails, or ends as `length` or `content_filter`.
   */
  generateStream?(
    call: GenerationCall,
    context: CallContext,
    onParts: OnParts,
    onCallPiece?: OnCallPiece,
  ): Promise<GenerationEnd>;
  /** Vectors of texts, or of content. */
  embed?(call: EmbeddingCall, context: CallContext): Promise<Embeddings>;
  /** Judges texts and images by the categories of the model. */
  moderate?(call: ModerationCall, context: CallContext): Promise<Moderations>;
  /** The input of a call as the upstream counts it; free of charge, and used for estimates. */
  countTokens?(call: GenerationCall, context: CallContext): Promise<readonly Usage[]>;
  /** Without it files of the project are used as they lie in the host's store. */
  readonly files?: ProviderFiles;
  /** Makes videos; each is a job that is started and then polled. */
  readonly videos?: ProviderJobs<VideoCall, GeneratedVideos>;
  /** Without it a batch is carried out item by item. */
  readonly batches?: ProviderJobs<BatchCall, BatchResult>;
  /** Without it a cache is what the gateway stored, sent along with each call. */
  readonly caches?: ProviderCaches;
  /** Without it stores are the gateway's own index. */
  readonly stores?: ProviderStores;
  /** Without it the gateway carries interactions out by `generate`, step by step, with its own tools. */
  readonly interactions?: ProviderJobs<InteractionCall, Interacted>;
  /** Opens realtime sessions. */
  readonly live?: ProviderLive;
  /** Whether `interactions` takes this model; without it, it takes every one. */
  takesInteraction?(upstreamModel: string): boolean;
  /**
   * Whether `generate` runs this tool upstream for this model. Without it `code_execution` and `url_context` are run where the
   * catalog's entry has them, and no other tool is. A call with a tool that is not run is refused before anything is reserved.
   */
  runsTool?(tool: ToolName, upstreamModel: string): boolean;
  /**
   * Whether `generate` asks for this service tier of this model. Without it the provider knows no service tiers, and a call that asks
   * for one is refused before anything is reserved.
   */
  takesServiceTier?(tier: PricedTier, upstreamModel: string): boolean;
  /** Frees connections. */
  close?(): Promise<void>;
}
