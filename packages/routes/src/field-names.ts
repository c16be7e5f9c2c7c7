import type { CallField } from '@tollgate/provider';

/** What a route calls the settings of a call; a setting that several of its fields make up, or none, is left out. */
export type FieldNames = ReadonlyMap<string, string>;

export const namesOf = (names: Readonly<Partial<Record<CallField, string>>>): FieldNames =>
  new Map(Object.entries(names));

export const chatFieldNames = namesOf({
  contents: 'messages',
  systemInstruction: 'messages',
  tools: 'tools',
  toolChoice: 'tool_choice',
  responseFormat: 'response_format',
  temperature: 'temperature',
  topP: 'top_p',
  seed: 'seed',
  stopSequences: 'stop',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
  parallelToolCalls: 'parallel_tool_calls',
  thinking: 'reasoning_effort',
  endUser: 'user',
  serviceTier: 'service_tier',
});

/** A schema of the answer has three fields here, so it is not named. */
export const generateFieldNames = namesOf({
  contents: 'contents',
  systemInstruction: 'systemInstruction',
  tools: 'tools',
  toolChoice: 'toolConfig',
  safety: 'safetySettings',
  temperature: 'generationConfig.temperature',
  topP: 'generationConfig.topP',
  topK: 'generationConfig.topK',
  seed: 'generationConfig.seed',
  stopSequences: 'generationConfig.stopSequences',
  frequencyPenalty: 'generationConfig.frequencyPenalty',
  presencePenalty: 'generationConfig.presencePenalty',
  thinking: 'generationConfig.thinkingConfig',
  modalities: 'generationConfig.responseModalities',
  speech: 'generationConfig.speechConfig',
  image: 'generationConfig.imageConfig',
  mediaResolution: 'generationConfig.mediaResolution',
  cached: 'cachedContent',
  serviceTier: 'serviceTier',
});

/** What is embedded is `input` or `content`, so it is not named. */
export const embeddingFieldNames = namesOf({
  dimensions: 'dimensions',
  task: 'task_type',
  title: 'title',
  endUser: 'user',
});
