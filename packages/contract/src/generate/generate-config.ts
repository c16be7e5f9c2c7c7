import { z } from 'zod';
import { JsonRecord } from '../json/json-record.ts';
import { generateBounds, limits } from '../limits.ts';
import { optionalUnion } from '../fields/optional-union.ts';

const { textFieldCharsMax, stopSequencesMax, speakersMax, topKMax, penaltyMin, penaltyMax } = generateBounds;
const { temperatureMin, temperatureMax } = limits.chat;
const textField = z.string().min(1).max(textFieldCharsMax);

// generate:config:modalities
/** What an answer may consist of. */
const responseModalities = ['TEXT', 'IMAGE', 'AUDIO'] as const;

const mediaResolutions = ['MEDIA_RESOLUTION_LOW', 'MEDIA_RESOLUTION_MEDIUM', 'MEDIA_RESOLUTION_HIGH'] as const;

/** Clients write the level in either case. */
const thinkingLevel = z.union([
  z.enum(['MINIMAL', 'LOW', 'MEDIUM', 'HIGH']),
  z.enum(['minimal', 'low', 'medium', 'high']),
]);

const ThinkingConfig = z.strictObject({
  includeThoughts: z.boolean().exactOptional(),
  /** Tokens; 0 is none, -1 leaves it to the model. */
  thinkingBudget: z.int().min(-1).exactOptional(),
  thinkingLevel: optionalUnion(thinkingLevel),
});

const VoiceConfig = z.strictObject({ prebuiltVoiceConfig: z.strictObject({ voiceName: textField }) });
const speech = {
  voiceConfig: VoiceConfig.exactOptional(),
  multiSpeakerVoiceConfig: z
    .strictObject({
      speakerVoiceConfigs: z
        .array(z.strictObject({ speaker: textField, voiceConfig: VoiceConfig }))
        .length(speakersMax),
    })
    .exactOptional(),
};

const config = {
  temperature: z.number().min(temperatureMin).max(temperatureMax).exactOptional(),
  topP: z.number().min(0).max(1).exactOptional(),
  topK: z.int().min(1).max(topKMax).exactOptional(),
  seed: z.int().exactOptional(),
  responseMimeType: z.enum(['text/plain', 'application/json']).exactOptional(),
  /** A JSON Schema; only its depth is checked here. */
  responseJsonSchema: JsonRecord.exactOptional(),
  thinkingConfig: ThinkingConfig.exactOptional(),
  mediaResolution: z.enum(mediaResolutions).exactOptional(),
  responseModalities: z.array(z.enum(responseModalities)).min(1).max(responseModalities.length).exactOptional(),
  imageConfig: z
    .strictObject({ aspectRatio: textField.exactOptional(), imageSize: textField.exactOptional() })
    .exactOptional(),
};

/** generationConfig as the contract writes it. */
export const StrictGenerationConfig = z.strictObject({
  ...config,
  stopSequences: z.array(textField).min(1).max(stopSequencesMax).exactOptional(),
  speechConfig: z.strictObject(speech).exactOptional(),
});

// generate:compat:google
/** The same with what the compatibility option adds. */
export const CompatGenerationConfig = z.strictObject({
  ...config,
  stopSequences: z.array(textField).max(stopSequencesMax).exactOptional(),
  speechConfig: z.strictObject({ ...speech, languageCode: textField.exactOptional() }).exactOptional(),
  maxOutputTokens: z.int().min(1).exactOptional(),
  candidateCount: z.literal(1).exactOptional(),
  frequencyPenalty: z.number().min(penaltyMin).max(penaltyMax).exactOptional(),
  presencePenalty: z.number().min(penaltyMin).max(penaltyMax).exactOptional(),
  /** The OpenAPI form of a schema, with type names in upper case. */
  responseSchema: JsonRecord.exactOptional(),
});
export type GenerationConfig = Readonly<z.infer<typeof CompatGenerationConfig>>;
