import { createGoogle } from '@ai-sdk/google';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import { boundModel, type StartedGateway } from './start-gateway.ts';

/** The gateway's model as the client of chat completions sees it. */
export const compatibleModel = ({ baseUrl, key }: StartedGateway): LanguageModel =>
  createOpenAICompatible({
    name: 'gateway',
    baseURL: baseUrl,
    apiKey: key,
    includeUsage: true,
    supportsStructuredOutputs: true,
  })(boundModel);

/** The same as the client of Google's Gemini API sees it. */
export const googleModel = ({ baseUrl, key }: StartedGateway): LanguageModel =>
  createGoogle({ baseURL: `${baseUrl}/v1beta`, apiKey: key })(boundModel);
