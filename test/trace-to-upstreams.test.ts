import { telemetry } from '@tollgate/telemetry';
import { expect, onTestFinished, test } from 'vitest';
import { anthropicProvider } from '../packages/provider-anthropic/src/index.ts';
import { googleProvider } from '../packages/provider-google/src/index.ts';
import { openaiProvider } from '../packages/provider-openai/src/index.ts';
import { startFakeAnthropic, startFakeGemini, startFakeOpenai } from '../packages/testing/src/fakes.ts';
import { startGateway } from './clients/running-gateway.ts';
import { openSdk3 } from './telemetry-sdk3.ts';

const apiKey = 'key-of-the-host';

const upstreams = [
  ['openai', startFakeOpenai, (baseUrl: string) => openaiProvider({ baseUrl, apiKey })],
  ['anthropic', startFakeAnthropic, (baseUrl: string) => anthropicProvider({ baseUrl, apiKey })],
  ['google', startFakeGemini, (baseUrl: string) => googleProvider({ baseUrl, apiKey })],
] as const;

test.each(upstreams)('the upstream of %s receives the trace context of the call', async (_, start, providerOf) => {
  const fake = await start();
  const provider = providerOf(fake.url);
  const sdk = openSdk3();
  const { api, tracer, meter } = sdk;
  const running = await startGateway({ options: { provider, observers: [await telemetry({ api, tracer, meter })] } });
  onTestFinished(async () => {
    await running.close();
    await provider.close?.();
    await fake.close();
    await sdk.close();
  });
  await fetch(`${running.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${running.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] }),
  });
  const call = sdk.spans().find(({ name }) => name.startsWith('chat '));
  const { traceId, spanId } = call?.spanContext() ?? { traceId: 'none', spanId: 'none' };
  expect(fake.requests.at(-1)?.headers['traceparent']).toBe(`00-${traceId}-${spanId}-01`);
});
