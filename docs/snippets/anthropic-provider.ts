import { anthropicProvider, type AnthropicProviderOptions } from '@tollgate/provider-anthropic';
import { createGateway, type Gateway, type GatewayOptions } from 'tollgate';

// #region gateway
export const openWithAnthropic = (
  upstream: AnthropicProviderOptions,
  options: Omit<GatewayOptions, 'provider'>,
): Promise<Gateway> => createGateway({ ...options, provider: anthropicProvider(upstream) });
// #endregion gateway

// #region options
export const carefulAnthropic = (apiKey: string) =>
  anthropicProvider({
    apiKey,
    name: 'anthropic-eu',
    limits: { timeoutMs: 300_000, modelRoundsMax: 2 },
    retry: { attemptsMax: 2, waitMsMax: 1_000 },
    // The price list has a price for input that the upstream keeps.
    cachePrompts: 'asked',
    // A name of a proxy, which does not show what the model takes.
    modelTraits: (model) => (model === 'house-model' ? { thinking: 'budget', refuses: ['topK'] } : {}),
  });
// #endregion options
