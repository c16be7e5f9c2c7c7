import { checkConfiguration } from '@tollgate/contract/configuration';
import {
  generationParts,
  isNotExecuted,
  type CallContext,
  type Generation,
  type GenerationCall,
  type Provider,
  type ToolName,
} from '@tollgate/provider';
import { toSettings, type AiSdkProviderOptions, type Settings } from './ai-sdk-provider-options.ts';
import { embed } from './embed.ts';
import { embeddingModels, generativeModels, type FindModel, type GenerativeModel } from './find-model.ts';
import { generateImage } from './generate-image.ts';
import { generateLanguage, streamLanguage } from './generate-language.ts';
import { generateSpeech } from './generate-speech.ts';
import { aiSdkOptionsCheck } from './options-check.ts';
import { providerToolOf } from './to-call-options.ts';
import { transcribe } from './transcribe.ts';
import type { BuiltInTool } from './vendor.ts';

/**
 * A provider over models of AI SDK 7 (specification v4). It has the methods that the given models can answer. What a model
 * cannot carry is refused before anything is sent, and every call of a model is recorded as one attempt.
 */
export const aiSdkProvider = (options: AiSdkProviderOptions): Provider => {
  checkConfiguration('aiSdkProvider', aiSdkOptionsCheck, options);
  const settings = toSettings(options);
  const generative = generativeModels(options);
  const embedding = embeddingModels(options);
  return {
    name: options.name ?? 'ai-sdk',
    ...(generative === undefined ? {} : toGenerate(generative, settings)),
    ...(embedding === undefined
      ? {}
      : {
          embed: async (call, context) => embed({ model: embedding(call.upstreamModel), call, context, settings }),
        }),
  };
};

const toGenerate = (
  find: FindModel<GenerativeModel>,
  settings: Settings,
): Required<Pick<Provider, 'generate' | 'generateStream' | 'runsTool'>> => ({
  runsTool: (tool, upstreamModel) => runsBuiltIn(find, settings, tool, upstreamModel),
  generate: async (call, context) => generate(find(call.upstreamModel), { call, context, settings }),
  generateStream: async (call, context, onParts, onCallPiece) => {
    const found = find(call.upstreamModel);
    if (found.kind === 'language')
      return streamLanguage({ model: found.model, call, context, settings }, onParts, onCallPiece);
    // Models of the other kinds answer in one piece.
    const generation = await generate(found, { call, context, settings });
    const parts = generationParts(generation);
    if (parts.length > 0) onParts(parts);
    return { finish: generation.finish, usage: generation.usage };
  },
});

const isBuiltIn = (tool: ToolName): tool is BuiltInTool =>
  tool === 'code_execution' || tool === 'url_context' || tool === 'web_search';

/** Whether a language model has a provider tool for it. A name that the host has no model for runs nothing. */
const runsBuiltIn = (
  find: FindModel<GenerativeModel>,
  { vendorOf, builtInTool }: Settings,
  tool: ToolName,
  upstreamModel: string,
): boolean => {
  if (!isBuiltIn(tool)) return false;
  try {
    const found = find(upstreamModel);
    if (found.kind !== 'language') return false;
    const { model } = found;
    return providerToolOf(tool, { vendor: vendorOf(model), model, builtInTool }) !== null;
  } catch (cause) {
    if (isNotExecuted(cause)) return false;
    throw cause;
  }
};

interface Asked {
  readonly call: GenerationCall;
  readonly context: CallContext;
  readonly settings: Settings;
}

const generate = async (found: GenerativeModel, asked: Asked): Promise<Generation> => {
  switch (found.kind) {
    case 'language':
      return generateLanguage({ model: found.model, ...asked });
    case 'image':
      return generateImage({ model: found.model, ...asked });
    case 'speech':
      return generateSpeech({ model: found.model, ...asked });
    case 'transcription':
      return transcribe({ model: found.model, ...asked });
  }
};
