import type { CatalogModel, GenerateRequest } from '@tollgate/contract';
import type {
  GenerationCall,
  GenerationTool,
  JsonObject,
  Modality,
  ResponseFormat,
  Sampling,
  Speech,
  Thinking,
  ToolChoice,
} from '@tollgate/provider';
import { present } from '../present.ts';
import { toJsonSchema } from './openapi-to-json-schema.ts';
import { toContents, type NamedFiles } from './to-contents.ts';

type Config = GenerateRequest['config'];

/** A schema in whichever of its two forms it came. */
const schemaOf = (openApi: JsonObject | undefined, jsonSchema: JsonObject | undefined): JsonObject | undefined =>
  openApi === undefined ? jsonSchema : toJsonSchema(openApi);

const toTools = (tools: GenerateRequest['tools']): readonly GenerationTool[] =>
  tools.flatMap(({ functionDeclarations, ...own }): readonly GenerationTool[] => [
    ...(functionDeclarations ?? []).map((declared) => ({
      kind: 'function' as const,
      name: declared.name,
      ...present('description', declared.description),
      ...present('parameters', schemaOf(declared.parameters, declared.parametersJsonSchema)),
      ...present('response', schemaOf(declared.response, declared.responseJsonSchema)),
    })),
    ...(own.codeExecution === undefined ? [] : [{ kind: 'code_execution' as const }]),
    ...(own.urlContext === undefined ? [] : [{ kind: 'url_context' as const }]),
    ...((own.googleSearch ?? own.googleSearchRetrieval) === undefined ? [] : [{ kind: 'web_search' as const }]),
  ]);

const toToolChoice = ({ functionCallingConfig }: GenerateRequest['toolConfig']): ToolChoice => {
  const { mode = 'AUTO', allowedFunctionNames } = functionCallingConfig ?? {};
  switch (mode) {
    case 'AUTO':
      return { kind: 'auto' };
    case 'NONE':
      return { kind: 'none' };
    case 'ANY':
      return { kind: 'required', ...present('names', allowedFunctionNames) };
    case 'VALIDATED':
      return { kind: 'validated', ...present('names', allowedFunctionNames) };
  }
};

/** The contract names no schema; upstreams that want a name get this one. */
const schemaName = 'response';

const toResponseFormat = ({ responseMimeType, responseJsonSchema, responseSchema }: Config): ResponseFormat => {
  const schema = schemaOf(responseSchema, responseJsonSchema);
  if (schema !== undefined) return { kind: 'json_schema', name: schemaName, schema };
  return responseMimeType === 'application/json' ? { kind: 'json_object' } : { kind: 'text' };
};

const toSampling = ({ temperature, topP, topK, seed, stopSequences, ...penalties }: Config): Sampling => ({
  ...present('temperature', temperature),
  ...present('topP', topP),
  ...present('topK', topK),
  ...present('seed', seed),
  ...present('stopSequences', stopSequences === undefined || stopSequences.length === 0 ? undefined : stopSequences),
  ...present('frequencyPenalty', penalties.frequencyPenalty || undefined),
  ...present('presencePenalty', penalties.presencePenalty || undefined),
});

const thinkingLevels = { MINIMAL: 'minimal', LOW: 'low', MEDIUM: 'medium', HIGH: 'high' } as const;

const toThinking = ({ thinkingConfig }: Config): Thinking | undefined => {
  if (thinkingConfig === undefined) return undefined;
  const { includeThoughts, thinkingBudget, thinkingLevel } = thinkingConfig;
  const level =
    thinkingLevel !== undefined && thinkingLevel in thinkingLevels
      ? // Sound: asked for on the line above.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        thinkingLevels[thinkingLevel as keyof typeof thinkingLevels]
      : // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        (thinkingLevel as Thinking['level'] | undefined);
  return {
    ...present('includeThoughts', includeThoughts),
    ...present('budgetTokens', thinkingBudget),
    ...present('level', level),
  };
};

const toSpeech = ({ speechConfig }: Config): Speech | undefined => {
  const { voiceConfig, multiSpeakerVoiceConfig, languageCode } = speechConfig ?? {};
  const language = present('language', languageCode);
  if (voiceConfig !== undefined)
    return { kind: 'one_voice', voice: voiceConfig.prebuiltVoiceConfig.voiceName, ...language };
  if (multiSpeakerVoiceConfig === undefined) return undefined;
  const speakers = multiSpeakerVoiceConfig.speakerVoiceConfigs.map(({ speaker, voiceConfig: voice }) => ({
    speaker,
    voice: voice.prebuiltVoiceConfig.voiceName,
  }));
  return { kind: 'several_voices', speakers, ...language };
};

const modalities = { TEXT: 'text', IMAGE: 'image', AUDIO: 'audio' } as const;

const toModalities = ({ responseModalities }: Config): readonly Modality[] | undefined =>
  responseModalities === undefined
    ? undefined
    : [...new Set(responseModalities)].map((modality) => modalities[modality]);

const resolutions = {
  MEDIA_RESOLUTION_LOW: 'low',
  MEDIA_RESOLUTION_MEDIUM: 'medium',
  MEDIA_RESOLUTION_HIGH: 'high',
} as const;

const toImage = ({ imageConfig }: Config): GenerationCall['image'] =>
  imageConfig === undefined
    ? undefined
    : { ...present('aspectRatio', imageConfig.aspectRatio), ...present('size', imageConfig.imageSize) };

/**
 * A generateContent request as the canonical call. Total: what it refuses is a conversation that answers calls never made, or
 * names files that are not there.
 */
export const toContentCall = (
  request: GenerateRequest,
  model: CatalogModel,
  files: NamedFiles,
): Omit<GenerationCall, 'operationId'> => {
  const { config, systemInstruction, safetySettings } = request;
  return {
    upstreamModel: model.upstreamId,
    systemInstruction: systemInstruction === null ? null : systemInstruction.join('\n\n'),
    contents: toContents(request.contents, files),
    tools: toTools(request.tools),
    toolChoice: toToolChoice(request.toolConfig),
    responseFormat: toResponseFormat(config),
    sampling: toSampling(config),
    outputTokensMax: Math.min(config.maxOutputTokens ?? model.maxOutputTokens, model.maxOutputTokens),
    ...present('thinking', toThinking(config)),
    ...present('modalities', toModalities(config)),
    ...present('image', toImage(config)),
    ...present('speech', toSpeech(config)),
    ...present('mediaResolution', config.mediaResolution && resolutions[config.mediaResolution]),
    ...present('serviceTier', request.serviceTier === 'unspecified' ? null : request.serviceTier),
    ...present('safety', safetySettings.length === 0 ? undefined : safetySettings),
  };
};
