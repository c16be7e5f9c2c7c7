import { randomUUID } from 'node:crypto';
import { createOpenAICompatible, type MetadataExtractor } from '@ai-sdk/openai-compatible';
import { generateText, type JSONValue } from 'ai';

// #region ai-sdk
type Receipt = Readonly<Record<string, JSONValue>>;

/** The receipt of a response, which the gateway sends under `service`: `request_id`, `credits` and others. */
const hasReceipt = (body: unknown): body is { readonly service: Receipt } =>
  typeof body === 'object' && body !== null && 'service' in body;

const metadataExtractor: MetadataExtractor = {
  extractMetadata: async ({ parsedBody }) => (hasReceipt(parsedBody) ? { service: parsedBody.service } : undefined),
  createStreamExtractor: () => {
    let service: Receipt | undefined;
    return {
      processChunk: (chunk) => {
        if (hasReceipt(chunk)) service = chunk.service;
      },
      buildMetadata: () => service && { service },
    };
  },
};

/** `includeUsage` asks for the tokens of a stream; the extractor keeps what a call cost. */
export const createModels = (baseURL: string, apiKey: string) =>
  createOpenAICompatible({ name: 'gateway', baseURL, apiKey, includeUsage: true, metadataExtractor });

export const ask = async (baseURL: string, apiKey: string, prompt: string) => {
  const { text, usage, providerMetadata } = await generateText({
    model: createModels(baseURL, apiKey)('flash-3.8'),
    prompt,
    // With a key the retries are safe. Without one they would be new operations: then set maxRetries to 0.
    headers: { 'Idempotency-Key': randomUUID() },
  });
  return { text, tokens: usage.totalTokens, credits: providerMetadata?.['service']?.['credits'] };
};
// #endregion ai-sdk
