import { googleProvider, type GoogleProviderOptions } from '@tollgate/provider-google';
import { createGateway, type Gateway, type GatewayOptions } from 'tollgate';

// #region gateway
export const openWithGoogle = (
  upstream: GoogleProviderOptions,
  options: Omit<GatewayOptions, 'provider'>,
): Promise<Gateway> => createGateway({ ...options, provider: googleProvider(upstream) });
// #endregion gateway

// #region options
export const carefulGoogle = (apiKey: string) =>
  googleProvider({
    apiKey,
    name: 'google-eu',
    limits: { timeoutMs: 300_000, inlineBytesMax: 4 * 1_048_576 },
    retry: { attemptsMax: 2, waitMsMax: 1_000 },
    // A model of your own whose name does not show its generation.
    modelTraits: (model) => (model === 'tunedModels/support-3' ? { signedCalls: true } : {}),
  });
// #endregion options
