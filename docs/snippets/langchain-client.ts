import { ChatOpenAI } from '@langchain/openai';

// #region langchain
/** Retries are off: each would be a new operation, because the library sends no idempotency key. */
export const createModel = (baseURL: string, apiKey: string): ChatOpenAI =>
  new ChatOpenAI({ model: 'flash-3.8', apiKey, maxRetries: 0, configuration: { baseURL } });
// #endregion langchain
