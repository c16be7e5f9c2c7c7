import type {
  EmbeddingModelV4,
  ImageModelV4,
  LanguageModelV4,
  ProviderV4,
  SpeechModelV4,
  TranscriptionModelV4,
} from '@ai-sdk/provider';
import { NotExecuted } from '@tollgate/provider';
import type { AiSdkProviderOptions, ModelSource } from './ai-sdk-provider-options.ts';
import { hasMarker } from './sdk-error.ts';

/** A model that generates, by what it makes. */
export type GenerativeModel =
  | { readonly kind: 'language'; readonly model: LanguageModelV4 }
  | { readonly kind: 'image'; readonly model: ImageModelV4 }
  | { readonly kind: 'speech'; readonly model: SpeechModelV4 }
  | { readonly kind: 'transcription'; readonly model: TranscriptionModelV4 };

/** Throws `NotExecuted` where the host has no model of this name. */
export type FindModel<Model> = (upstreamModel: string) => Model;

interface Candidate<Model> {
  /** A provider of the AI SDK has a model for any name, so it can only be asked last. */
  readonly takesAnyName: boolean;
  readonly find: (upstreamModel: string) => Model | null;
}

// A provider of the AI SDK is often a function, too.
const isProvider = (source: object): source is ProviderV4 => 'specificationVersion' in source;

const toCandidate = <Model extends object>(
  source: ModelSource<Model>,
  ofProvider: (provider: ProviderV4) => ((upstreamModel: string) => Model) | undefined,
): Candidate<Model> => {
  if (!isProvider(source)) return { takesAnyName: false, find: source };
  const find = ofProvider(source);
  if (find === undefined) throw new TypeError('the provider has no models of this kind');
  return { takesAnyName: true, find };
};

const unavailable = (cause: unknown): NotExecuted => new NotExecuted({ reason: 'unavailable', cause });

/** Asks for a model. Nothing runs while it is looked for, so whatever is thrown means that nothing ran. */
const ask = <Model extends object>(candidate: Candidate<Model>, upstreamModel: string): Model | null => {
  try {
    return candidate.find(upstreamModel);
  } catch (cause) {
    if (hasMarker(cause, 'AI_NoSuchModelError')) return null;
    throw unavailable(cause);
  }
};

const checked = <Model extends { readonly specificationVersion: 'v4' }>(model: Model): Model => {
  // The type says `v4`; JavaScript hosts may still hand over a model of an older AI SDK.
  const version: unknown = model.specificationVersion;
  if (version !== 'v4') throw unavailable(`a model of specification ${String(version)}`);
  return model;
};

/** Finds embedding models; undefined where the host gave none. */
export const embeddingModels = ({ embeddingModel }: AiSdkProviderOptions): FindModel<EmbeddingModelV4> | undefined => {
  if (embeddingModel === undefined) return undefined;
  const candidate = toCandidate(embeddingModel, (provider) => (name) => provider.embeddingModel(name));
  return (upstreamModel) => {
    const model = ask(candidate, upstreamModel);
    if (model === null) throw unavailable('no embedding model of this name');
    return checked(model);
  };
};

const generativeCandidates = (options: AiSdkProviderOptions): readonly Candidate<GenerativeModel>[] => {
  const { imageModel, speechModel, transcriptionModel, languageModel } = options;
  const candidates: Candidate<GenerativeModel>[] = [];
  const add = <Model extends object>(
    candidate: Candidate<Model>,
    toGenerative: (model: Model) => GenerativeModel,
  ): void => {
    const find = (name: string): GenerativeModel | null => {
      const model = candidate.find(name);
      return model === null ? null : toGenerative(model);
    };
    candidates.push({ takesAnyName: candidate.takesAnyName, find });
  };
  if (imageModel !== undefined)
    add(
      toCandidate(imageModel, (provider) => (name) => provider.imageModel(name)),
      (model) => ({ kind: 'image', model }),
    );
  if (speechModel !== undefined)
    add(
      toCandidate(speechModel, (provider) => provider.speechModel?.bind(provider)),
      (model) => ({ kind: 'speech', model }),
    );
  if (transcriptionModel !== undefined)
    add(
      toCandidate(transcriptionModel, (provider) => provider.transcriptionModel?.bind(provider)),
      (model) => ({ kind: 'transcription', model }),
    );
  if (languageModel !== undefined)
    add(
      toCandidate(languageModel, (provider) => (name) => provider.languageModel(name)),
      (model) => ({ kind: 'language', model }),
    );
  return candidates;
};

/**
 * Finds models that generate: image, speech, transcription, then language, functions before providers. Undefined where the
 * host gave none. Throws a `TypeError` for two providers of the AI SDK, of which the second could never be reached.
 */
export const generativeModels = (options: AiSdkProviderOptions): FindModel<GenerativeModel> | undefined => {
  const candidates = generativeCandidates(options);
  if (candidates.length === 0) return undefined;
  const providers = candidates.filter(({ takesAnyName }) => takesAnyName);
  if (providers.length > 1) {
    throw new TypeError(
      'a provider has a model for any name: give one kind of models as a provider, others as functions',
    );
  }
  const ordered = [...candidates.filter(({ takesAnyName }) => !takesAnyName), ...providers];
  return (upstreamModel) => {
    for (const candidate of ordered) {
      const found = ask(candidate, upstreamModel);
      if (found === null) continue;
      checked(found.model);
      return found;
    }
    throw unavailable('no model of this name');
  };
};
