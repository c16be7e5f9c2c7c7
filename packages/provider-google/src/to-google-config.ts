import type { GenerationCall, JsonObject, Speech } from '@tollgate/provider';
import type { ModelTraits } from './model-traits.ts';
import { toResponseSchema } from './response-schema.ts';

/** The member `generationConfig` of a request. What the call leaves out is left out, for the model to choose. */
export const toGoogleConfig = (call: GenerationCall, traits: ModelTraits): JsonObject => ({
  maxOutputTokens: call.outputTokensMax,
  ...toSampling(call),
  ...toResponseFormat(call),
  ...toThinking(call, traits),
  ...(call.modalities === undefined ? {} : { responseModalities: call.modalities.map((name) => name.toUpperCase()) }),
  ...toImage(call),
  ...(call.speech === undefined ? {} : { speechConfig: toSpeech(call.speech) }),
  ...(call.mediaResolution === undefined
    ? {}
    : { mediaResolution: `MEDIA_RESOLUTION_${call.mediaResolution.toUpperCase()}` }),
});

const toSampling = ({ sampling }: GenerationCall): JsonObject => ({
  temperature: sampling.temperature,
  topP: sampling.topP,
  topK: sampling.topK,
  seed: sampling.seed,
  stopSequences:
    sampling.stopSequences === undefined || sampling.stopSequences.length === 0 ? undefined : sampling.stopSequences,
  frequencyPenalty: sampling.frequencyPenalty,
  presencePenalty: sampling.presencePenalty,
});

const toResponseFormat = ({ responseFormat }: GenerationCall): JsonObject => {
  switch (responseFormat.kind) {
    case 'text':
      return {};
    case 'json_object':
      return { responseMimeType: 'application/json' };
    case 'json_schema':
      return { responseMimeType: 'application/json', responseJsonSchema: toResponseSchema(responseFormat.schema) };
  }
};

/** What a level is worth in tokens to models that know budgets alone. */
const budgetOfLevel = { minimal: 512, low: 1_024, medium: 8_192, high: 24_576 } as const;

const toThinking = ({ thinking }: GenerationCall, { thinkingLevels }: ModelTraits): JsonObject => {
  if (thinking === undefined) return {};
  const { includeThoughts, level } = thinking;
  const isBudget = level !== undefined && thinking.budgetTokens === undefined && !thinkingLevels;
  const budgetTokens = isBudget ? budgetOfLevel[level] : thinking.budgetTokens;
  return {
    thinkingConfig: {
      includeThoughts,
      thinkingBudget: budgetTokens,
      thinkingLevel: level === undefined || isBudget ? undefined : level.toUpperCase(),
    },
  };
};

const toImage = ({ image }: GenerationCall): JsonObject => {
  if (image?.aspectRatio === undefined && image?.size === undefined) return {};
  return {
    imageConfig: {
      aspectRatio: image.aspectRatio,
      imageSize: image.size,
    },
  };
};

const toVoice = (voiceName: string): JsonObject => ({ prebuiltVoiceConfig: { voiceName } });

const toSpeech = (speech: Speech): JsonObject => {
  const language = speech.language === undefined ? {} : { languageCode: speech.language };
  if (speech.kind === 'one_voice') return { ...language, voiceConfig: toVoice(speech.voice) };
  const speakerVoiceConfigs = speech.speakers.map(({ speaker, voice }) => ({ speaker, voiceConfig: toVoice(voice) }));
  return { ...language, multiSpeakerVoiceConfig: { speakerVoiceConfigs } };
};
