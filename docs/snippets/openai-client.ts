import { randomUUID } from 'node:crypto';
import OpenAI from 'openai';

// #region header
/** A key for one operation, as a header of the call. The library's own retries send it again. */
export const askOnce = (client: OpenAI, question: string) =>
  client.chat.completions.create(
    { model: 'flash-3.8', messages: [{ role: 'user', content: question }] },
    { headers: { 'Idempotency-Key': randomUUID() } },
  );
// #endregion header

// #region property
/** With the property set, every call gets a key of its own, the same on its retries, and `idempotencyKey` works. */
export const createClient = (baseURL: string, apiKey: string): OpenAI => {
  const client = new OpenAI({ baseURL, apiKey });
  Object.assign(client, { idempotencyHeader: 'Idempotency-Key' });
  return client;
};
// #endregion property
