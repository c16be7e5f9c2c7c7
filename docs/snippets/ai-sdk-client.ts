import { randomUUID } from 'node:crypto';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText } from 'ai';

// #region ai-sdk
export const ask = async (baseURL: string, apiKey: string, prompt: string): Promise<string> => {
  const provider = createOpenAICompatible({ name: 'gateway', baseURL, apiKey });
  const { text } = await generateText({
    model: provider('flash-3.8'),
    prompt,
    // With a key the retries are safe. Without one they would be new operations: then set maxRetries to 0.
    headers: { 'Idempotency-Key': randomUUID() },
  });
  return text;
};
// #endregion ai-sdk
