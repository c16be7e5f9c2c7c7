import { openaiProvider, type OpenaiWire } from '@tollgate/provider-openai';
import { createGateway, type Gateway, type GatewayOptions } from 'tollgate';

// #region wires
/** By the upstream's name of the model. */
const wireOf = (model: string): OpenaiWire => {
  if (model.startsWith('gpt-image')) return 'images';
  if (model.includes('-tts')) return 'speech';
  if (model.includes('-transcribe') || model.startsWith('whisper')) return 'transcription';
  return 'responses';
};

export const openWithOpenai = (
  upstream: { readonly baseUrl: string; readonly apiKey: string },
  options: Omit<GatewayOptions, 'provider'>,
): Promise<Gateway> =>
  createGateway({
    ...options,
    provider: openaiProvider({ ...upstream, wire: wireOf, tokenLimitField: 'max_completion_tokens' }),
  });
// #endregion wires
