import type {
  EmbeddingModelV4,
  ImageModelV4,
  LanguageModelV4,
  ProviderV4,
  SharedV4Warning,
  SpeechModelV4,
  TranscriptionModelV4,
} from '@ai-sdk/provider';
import { vendorByPrefix, type BuiltInTool, type ModelName, type ProviderTool, type Vendor } from './vendor.ts';

/** Finds a model by its upstream name, or returns null; or a provider of the AI SDK, which has a model for any name. */
export type ModelSource<Model> = ((upstreamModel: string) => Model | null) | ProviderV4;

/** What a model said of a call after it had run. */
export interface ModelWarning extends ModelName {
  readonly operationId: string;
  readonly warning: SharedV4Warning;
}

export interface SpeechOptions {
  /** What speech is metered by (default `output_audio_seconds`, worked out from the audio). */
  readonly meter?: 'output_audio_seconds' | 'speech_characters';
  /** As the model names it: `wav`, `mp3`. Without it, the model's own choice. */
  readonly format?: string;
  /** Of audio that neither its bytes nor the model tell: `audio/L16;rate=24000`. */
  readonly mimeType?: string;
}

export interface AiSdkProviderOptions {
  /** Written on attempts and in logs (default `ai-sdk`). */
  readonly name?: string | undefined;
  /** Responds to `generate` and `generateStream`; asked after the other kinds of models. */
  readonly languageModel?: ModelSource<LanguageModelV4> | undefined;
  /** Responds to `embed`. */
  readonly embeddingModel?: ModelSource<EmbeddingModelV4> | undefined;
  /** Responds to `generate` with images. */
  readonly imageModel?: ModelSource<ImageModelV4> | undefined;
  /** Responds to `generate` with speech. */
  readonly speechModel?: ModelSource<SpeechModelV4> | undefined;
  /** Responds to `generate` with the text of a sound. */
  readonly transcriptionModel?: ModelSource<TranscriptionModelV4> | undefined;
  /** Whose options a model takes (default by the prefix of its provider; `openai_compatible` only where it is said here). */
  readonly vendorOf?: (model: ModelName) => Vendor | undefined;
  /** The provider tool for a built-in tool, null for none; undefined leaves it to the table. */
  readonly builtInTool?: (tool: BuiltInTool, model: ModelName) => ProviderTool | null | undefined;
  /** Media of one call that are read out of the blob store (default 32 MiB); more is refused as too large. */
  readonly mediaBytesMax?: number | undefined;
  /**
   * What embeddings are metered by (default `embedding_tokens`). A model that counts no tokens leaves an operation uncertain
   * unless it is `embedding_inputs`.
   */
  readonly embeddingMeter?: 'embedding_tokens' | 'embedding_inputs' | undefined;
  readonly speech?: SpeechOptions | undefined;
  /** Hears what a model warned of, such as a setting that it left out. For logs; must not throw. */
  readonly onWarning?: ((warning: ModelWarning) => void) | undefined;
  readonly now?: (() => number) | undefined;
}

const mediaBytesMaxDefault = 33_554_432;

/** What a call needs of the options, with the defaults filled in. */
export interface Settings {
  readonly vendorOf: (model: ModelName) => Vendor;
  readonly builtInTool: (tool: BuiltInTool, model: ModelName) => ProviderTool | null | undefined;
  readonly mediaBytesMax: number;
  readonly embeddingMeter: 'embedding_tokens' | 'embedding_inputs';
  readonly speech: SpeechOptions;
  readonly onWarning: (warning: ModelWarning) => void;
  readonly now: () => number;
}

export const toSettings = (options: AiSdkProviderOptions): Settings => ({
  vendorOf: (model) => options.vendorOf?.(model) ?? vendorByPrefix(model),
  builtInTool: options.builtInTool ?? (() => undefined),
  mediaBytesMax: options.mediaBytesMax ?? mediaBytesMaxDefault,
  embeddingMeter: options.embeddingMeter ?? 'embedding_tokens',
  speech: options.speech ?? {},
  onWarning: options.onWarning ?? (() => {}),
  now: options.now ?? Date.now,
});

/** Hands the warnings of one model call to the host. */
export const reportWarnings = (
  settings: Settings,
  model: ModelName,
  operationId: string,
  warnings: readonly SharedV4Warning[],
): void => {
  for (const warning of warnings) {
    settings.onWarning({ operationId, provider: model.provider, modelId: model.modelId, warning });
  }
};
