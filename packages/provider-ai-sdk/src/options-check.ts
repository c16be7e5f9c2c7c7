import type {
  EmbeddingModelV4,
  ImageModelV4,
  LanguageModelV4,
  SpeechModelV4,
  TranscriptionModelV4,
} from '@ai-sdk/provider';
import {
  byKind,
  callable,
  foreign,
  oneOf,
  optionsCheck,
  text,
  whole,
  type OptionCheck,
} from '@tollgate/contract/configuration';
import type { AiSdkProviderOptions, ModelSource, SpeechOptions } from './ai-sdk-provider-options.ts';

const source = <Model>(): OptionCheck<ModelSource<Model>> =>
  byKind(
    { function: callable(), object: foreign() },
    'is a provider of the AI SDK, or a function from a name to a model',
  );

/** What each option may be: `AiSdkProviderOptions` says what it does. */
export const aiSdkOptionsCheck = optionsCheck<AiSdkProviderOptions>({
  name: text(),
  languageModel: source<LanguageModelV4>(),
  embeddingModel: source<EmbeddingModelV4>(),
  imageModel: source<ImageModelV4>(),
  speechModel: source<SpeechModelV4>(),
  transcriptionModel: source<TranscriptionModelV4>(),
  vendorOf: callable(),
  builtInTool: callable(),
  mediaBytesMax: whole(),
  embeddingMeter: oneOf('embedding_tokens', 'embedding_inputs'),
  speech: optionsCheck<SpeechOptions>({
    meter: oneOf('output_audio_seconds', 'speech_characters'),
    format: text(),
    mimeType: text(),
  }),
  onWarning: callable(),
  now: callable(),
});
