import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { GoogleGenAI } from '@google/genai';
import { telemetry } from '@tollgate/telemetry';
import { expect, onTestFinished, test, vi } from 'vitest';
import { aiSdkProvider } from '../packages/provider-ai-sdk/src/index.ts';
import { anthropicProvider } from '../packages/provider-anthropic/src/index.ts';
import { googleProvider } from '../packages/provider-google/src/index.ts';
import { openaiProvider } from '../packages/provider-openai/src/index.ts';
import {
  startFakeAnthropic,
  startFakeGemini,
  startFakeGeminiLive,
  startFakeOpenai,
} from '../packages/testing/src/fakes.ts';
import { startGateway } from './clients/running-gateway.ts';
import { openSdk3 } from './telemetry-sdk3.ts';

const apiKey = 'key-of-the-host';

const sdkProvider = (baseURL: string) => {
  const upstream = createOpenAICompatible({ name: 'local', baseURL, apiKey });
  return aiSdkProvider({
    languageModel: (id) => upstream.chatModel(id),
    embeddingModel: (id) => upstream.embeddingModel(id),
  });
};

const upstreams = [
  ['openai', startFakeOpenai, (baseUrl: string) => openaiProvider({ baseUrl, apiKey })],
  ['anthropic', startFakeAnthropic, (baseUrl: string) => anthropicProvider({ baseUrl, apiKey })],
  ['google', startFakeGemini, (baseUrl: string) => googleProvider({ baseUrl, apiKey })],
  ['AI SDK models', startFakeOpenai, sdkProvider],
] as const;

type Upstream = (typeof upstreams)[number];

const open = async (start: Upstream[1], providerOf: Upstream[2]) => {
  const fake = await start();
  const provider = providerOf(fake.url);
  const sdk = openSdk3();
  const { api, tracer, meter } = sdk;
  const running = await startGateway({
    options: { provider, observers: [await telemetry({ api, tracer, meter })] },
  });
  onTestFinished(async () => {
    await running.close();
    await provider.close?.();
    await fake.close();
    await sdk.close();
  });
  const send = async (path: string, body: object, key = running.key): Promise<void> => {
    const response = await fetch(`${running.baseUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    expect([response.status, text]).toEqual([200, expect.any(String)]);
  };
  /** The trace contexts of the spans whose names begin so, as upstreams read them. */
  const contexts = (name: string): readonly string[] =>
    sdk
      .spans()
      .filter((span) => span.name.startsWith(name))
      .map((span) => span.spanContext())
      .map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`);
  const received = () => fake.requests.map(({ headers }) => headers['traceparent']);
  return { running, send, contexts, received };
};

const hello = { role: 'user', content: 'Hello' };

test.each(upstreams)('the upstream of %s receives the trace context of each call', async (...[, start, providerOf]) => {
  const { send, contexts, received } = await open(start, providerOf);
  await send('/chat/completions', { messages: [hello] });
  await send('/chat/completions', { messages: [hello], stream: true });
  const expected = contexts('chat ');
  expect(expected).toHaveLength(2);
  expect(received()).toEqual(expect.arrayContaining([...expected]));
});

test('the upstream of an embedding model of the AI SDK receives the trace context of the call', async () => {
  const { running, send, contexts, received } = await open(startFakeOpenai, sdkProvider);
  await send('/embeddings', { input: 'Hello' }, await running.newKey('embedding-2'));
  expect(contexts('embeddings ')).toHaveLength(1);
  expect(received()).toEqual(contexts('embeddings '));
});

const item = { key: 'a', request: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] } };

test.each(upstreams)(
  'the upstream of %s receives the trace context of work in the background',
  async (...[, start, providerOf]) => {
    const { running, send, contexts, received } = await open(start, providerOf);
    await send('/interactions', { input: 'Hello' });
    await send('/batches', { requests: [item] });
    const turns = () => [...contexts('interaction '), ...contexts('batch ')];
    for (let round = 0; round < 20 && turns().length < 2; round += 1) await running.gateway.jobs.runDue();
    expect(turns()).toHaveLength(2);
    expect(received()).toEqual(expect.arrayContaining(turns()));
  },
);

test('the upstream of a realtime session receives the trace context of the session, whose span lasts as long', async () => {
  const fake = await startFakeGeminiLive();
  const provider = googleProvider({ baseUrl: fake.url, apiKey });
  const sdk = openSdk3();
  const { api, tracer, meter } = sdk;
  const observers = [await telemetry({ api, tracer, meter })];
  const model = 'flash-2.5-native-audio-latest';
  const running = await startGateway({ model, options: { provider, observers, compatibility: { google: true } } });
  onTestFinished(async () => {
    await running.close();
    await provider.close?.();
    await fake.close();
    await sdk.close();
  });
  vi.spyOn(console, 'warn').mockReturnValue();
  const client = new GoogleGenAI({ apiKey: running.key, httpOptions: { baseUrl: running.baseUrl } });
  const session = await client.live.connect({ model, callbacks: { onmessage: () => undefined } });
  const { headers } = await fake.connected(1);
  const spanOf = () => sdk.spans().find(({ name }) => name.startsWith('live '));
  expect(spanOf()).toBeUndefined();
  session.close();
  await expect.poll(spanOf).toBeDefined();
  const { traceId, spanId } = spanOf()?.spanContext() ?? { traceId: 'none', spanId: 'none' };
  expect(headers['traceparent']).toBe(`00-${traceId}-${spanId}-01`);
});
