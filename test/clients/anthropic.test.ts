import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { boundModel, startGateway, type RunningGateway } from './running-gateway.ts';

let running: RunningGateway;
let anthropic: Anthropic;
beforeAll(async () => {
  running = await startGateway({ options: { compatibility: { anthropic: true, openai: true, google: true } } });
  anthropic = new Anthropic({ apiKey: running.key, baseURL: running.origin, maxRetries: 0 });
});
afterAll(() => running.close());

test('x', async () => {
  const m = await anthropic.messages.create({ model: boundModel, max_tokens: 1000, messages: [{ role: 'user', content: '[[sandbox: echo Good morning.]]' }] });
  console.log(JSON.stringify(m));
  const s = anthropic.messages.stream({ model: boundModel, max_tokens: 1000, thinking: { type: 'adaptive' } as never, tools: [{ name: 'weather', input_schema: { type: 'object', properties: { city: { type: 'string' } } } }], tool_choice: { type: 'any' }, messages: [{ role: 'user', content: 'weather in Paris' }] });
  for await (const e of s) console.log(JSON.stringify(e));
  console.log(JSON.stringify(await s.finalMessage()));
  console.log(JSON.stringify(await anthropic.messages.countTokens({ model: boundModel, messages: [{ role: 'user', content: 'weather in Paris' }] })));
  for await (const x of anthropic.models.list({ limit: 3 })) console.log(x.id);
  await expect(anthropic.messages.create({ model: boundModel, max_tokens: 1000, messages: [] })).rejects.toMatchObject({ status: 400, error: { type: 'error' } });
});
