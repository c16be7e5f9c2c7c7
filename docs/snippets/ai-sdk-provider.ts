import type { GoogleProvider } from '@ai-sdk/google';
import type { OpenAICompatibleProvider } from '@ai-sdk/openai-compatible';
import type { SpeechModelV4 } from '@ai-sdk/provider';
import { aiSdkProvider } from '@tollgate/provider-ai-sdk';
import { createGateway, type Gateway, type GatewayOptions } from 'tollgate';

// #region gateway
export const openWithAiSdk = (google: GoogleProvider, options: Omit<GatewayOptions, 'provider'>): Promise<Gateway> =>
  createGateway({ ...options, provider: aiSdkProvider({ languageModel: google, embeddingModel: google }) });
// #endregion gateway

// #region several
export const severalKinds = (local: OpenAICompatibleProvider, speaker: SpeechModelV4, warn: (text: string) => void) =>
  aiSdkProvider({
    name: 'local',
    imageModel: (name) => (name.startsWith('paint-') ? local.imageModel(name) : null),
    speechModel: (name) => (name === 'speak' ? speaker : null),
    languageModel: local,
    // Its provider name is the host's own, so the vendor whose options its models take must be given.
    vendorOf: ({ provider }) => (provider.startsWith('local.') ? 'openai_compatible' : undefined),
    speech: { meter: 'speech_characters' },
    onWarning: ({ operationId, warning }) => warn(`${operationId}: ${warning.type}`),
  });
// #endregion several
