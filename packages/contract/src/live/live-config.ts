import { z } from 'zod';
import { JsonRecord } from '../json/json-record.ts';
import { generateBounds, limits, liveBounds } from '../limits.ts';
import { optionalUnion } from '../fields/optional-union.ts';

const { textFieldCharsMax, declarationsMax, toolsMax, topKMax } = generateBounds;
const { temperatureMin, temperatureMax } = limits.chat;
const { instructionCharsMax, listEntriesMax } = liveBounds;

const textField = z.string().min(1).max(textFieldCharsMax);
const textList = z.array(textField).max(listEntriesMax);
/** Counts of tokens come as text from clients that follow the 64-bit form of the wire. */
const tokenCount = z.union([z.int().min(0), z.string().regex(/^\d{1,12}$/)]);
const milliseconds = z.int().min(0).max(60_000);

const VoiceConfig = z.strictObject({ prebuiltVoiceConfig: z.strictObject({ voiceName: textField }) });

const GenerationConfig = z.strictObject({
  responseModalities: z
    .array(z.enum(['TEXT', 'AUDIO']))
    .min(1)
    .max(2)
    .exactOptional(),
  speechConfig: z
    .strictObject({ voiceConfig: VoiceConfig.exactOptional(), languageCode: textField.exactOptional() })
    .exactOptional(),
  temperature: z.number().min(temperatureMin).max(temperatureMax).exactOptional(),
  topP: z.number().min(0).max(1).exactOptional(),
  topK: z.int().min(1).max(topKMax).exactOptional(),
  maxOutputTokens: z.int().min(1).exactOptional(),
  seed: z.int().exactOptional(),
  mediaResolution: z.enum(['MEDIA_RESOLUTION_LOW', 'MEDIA_RESOLUTION_MEDIUM', 'MEDIA_RESOLUTION_HIGH']).exactOptional(),
  thinkingConfig: z
    .strictObject({
      includeThoughts: z.boolean().exactOptional(),
      thinkingBudget: z.int().min(-1).exactOptional(),
      thinkingLevel: z.enum(['MINIMAL', 'LOW', 'MEDIUM', 'HIGH', 'minimal', 'low', 'medium', 'high']).exactOptional(),
    })
    .exactOptional(),
  translationConfig: z
    .strictObject({ targetLanguageCode: textField.exactOptional(), echoTargetLanguage: z.boolean().exactOptional() })
    .exactOptional(),
});

/** Text alone: as a content with parts, or in short as the text itself. */
const SystemInstruction = z.union([
  z.string().min(1).max(instructionCharsMax),
  z.strictObject({
    role: z.enum(['user', 'system']).exactOptional(),
    parts: z
      .array(z.strictObject({ text: z.string().max(instructionCharsMax) }))
      .min(1)
      .max(listEntriesMax),
  }),
]);

const FunctionDeclaration = z.strictObject({
  name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/),
  description: z.string().exactOptional(),
  parameters: JsonRecord.exactOptional(),
  parametersJsonSchema: JsonRecord.exactOptional(),
});

const Transcription = z.strictObject({
  languageCodes: textList.exactOptional(),
  customVocabulary: textList.exactOptional(),
  adaptationPhrases: textList.exactOptional(),
  mode: textField.exactOptional(),
});

const RealtimeInputConfig = z.strictObject({
  automaticActivityDetection: z
    .strictObject({
      disabled: z.boolean().exactOptional(),
      startOfSpeechSensitivity: z.enum(['START_SENSITIVITY_HIGH', 'START_SENSITIVITY_LOW']).exactOptional(),
      endOfSpeechSensitivity: z.enum(['END_SENSITIVITY_HIGH', 'END_SENSITIVITY_LOW']).exactOptional(),
      prefixPaddingMs: milliseconds.exactOptional(),
      silenceDurationMs: milliseconds.exactOptional(),
    })
    .exactOptional(),
  activityHandling: z.enum(['START_OF_ACTIVITY_INTERRUPTS', 'NO_INTERRUPTION']).exactOptional(),
  turnCoverage: z
    .enum(['TURN_INCLUDES_ONLY_ACTIVITY', 'TURN_INCLUDES_ALL_INPUT', 'TURN_INCLUDES_AUDIO_ACTIVITY_AND_ALL_VIDEO'])
    .exactOptional(),
});

// live:create:config-subset, live:create:no-session-resumption
/**
 * What a session is to be like. The model is the key's, and a session is never taken up again by
 * its client, so that `model` and `sessionResumption` are no fields of it.
 */
export const LiveConfig = z.strictObject({
  generationConfig: GenerationConfig.exactOptional(),
  systemInstruction: optionalUnion(SystemInstruction),
  tools: z
    .array(z.strictObject({ functionDeclarations: z.array(FunctionDeclaration).max(declarationsMax).exactOptional() }))
    .max(toolsMax)
    .exactOptional(),
  inputAudioTranscription: Transcription.exactOptional(),
  outputAudioTranscription: Transcription.exactOptional(),
  realtimeInputConfig: RealtimeInputConfig.exactOptional(),
  contextWindowCompression: z
    .strictObject({
      triggerTokens: tokenCount.exactOptional(),
      slidingWindow: z.strictObject({ targetTokens: tokenCount.exactOptional() }).exactOptional(),
    })
    .exactOptional(),
  proactivity: z.strictObject({ proactiveAudio: z.boolean().exactOptional() }).exactOptional(),
  historyConfig: z.strictObject({ initialHistoryInClientContent: z.boolean().exactOptional() }).exactOptional(),
});
export type LiveConfig = Readonly<z.infer<typeof LiveConfig>>;
