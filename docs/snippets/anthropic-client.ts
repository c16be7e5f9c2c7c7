import { randomUUID } from 'node:crypto';
import Anthropic from '@anthropic-ai/sdk';
import { createGateway, type Gateway, type GatewayOptions } from 'tollgate';

// #region gateway
export const openForAnthropicClients = (options: GatewayOptions): Promise<Gateway> =>
  createGateway({ ...options, compatibility: { anthropic: true } });
// #endregion gateway

// #region stream
/** Streams one message, and returns its text. The library's own retries send the same key. */
export const ask = async (baseURL: string, apiKey: string, question: string): Promise<string> => {
  const client = new Anthropic({ baseURL, apiKey });
  const stream = client.messages.stream(
    { model: 'flash-3.8', max_tokens: 1_000, messages: [{ role: 'user', content: question }] },
    { headers: { 'Idempotency-Key': randomUUID() } },
  );
  return stream.finalText();
};
// #endregion stream
